#include "app/split_refusal.h"

#include "app/actions.h"
#include "app/session.h"
#include "app/tool_bars.h"
#include "app/work_area.h"
#include "dialogs/export_dialog.h"
#include "models/look.h"
#include "panels/notice_bar.h"
#include "panels/problems_panel.h"

#include <QEvent>
#include <QMainWindow>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

namespace sunder {

SplitRefusal::SplitRefusal(Session& session, const Actions& actions, WorkArea& work, QMainWindow& window)
    : QObject(&window), m_actions(actions), m_work(work), m_window(window),
      m_notice(new NoticeBar(QStringLiteral("splitNotice"), &window))
{
    setLook(*m_notice, QStringLiteral("callout"));
    window.installEventFilter(this);
    connect(&session.workflow(), &Workflow::splitRefused, this, &SplitRefusal::show);
    connect(&session.document(), &Document::changed, this, [this](Changes what) {
        if (what & (Change::tags | Change::program | Change::opened | Change::outcome))
            m_notice->hide();
    });
}

void SplitRefusal::show(const QString& why)
{
    m_actions.showBottom->setChecked(true);
    m_work.showProblems();
    m_work.problems().markRefused();
    for (ExportDialog* dialog : m_window.findChildren<ExportDialog*>())
        dialog->close(); // the dialog would cover the problems
    m_notice->show({.headline = tr("The model was not split"), .text = why, .offers = {{tr("&Close"), tr("Close this notice")}}});
    place();
    m_notice->raise();
}

bool SplitRefusal::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && m_notice->isVisible())
        place();
    return QObject::eventFilter(watched, event);
}

/// If the button is in the overflow menu of its bar, the bubble is placed at the end of the bar.
void SplitRefusal::place()
{
    constexpr int kWidest = 460;
    constexpr int kMargin = 8;
    const int width = std::min(kWidest, m_window.width() - 2 * kMargin);
    m_notice->setFixedWidth(width);
    const int height = m_notice->hasHeightForWidth() ? m_notice->heightForWidth(width) : m_notice->sizeHint().height();
    m_notice->resize(width, height);
    const auto* button = m_window.findChild<QToolButton*>(passButtonName(QStringLiteral("split")));
    const auto* bar = button == nullptr ? nullptr : qobject_cast<const QToolBar*>(button->parentWidget());
    QPoint at(m_window.width(), 0);
    if (button != nullptr && button->isVisible())
        at = button->mapTo(&m_window, QPoint(0, button->height() + 2));
    else if (bar != nullptr)
        at = bar->mapTo(&m_window, QPoint(bar->width() - width, bar->height() + 2));
    m_notice->move(std::clamp(at.x(), kMargin, std::max(kMargin, m_window.width() - width - kMargin)), at.y());
}

} // namespace sunder

#include "moc_split_refusal.cpp"
