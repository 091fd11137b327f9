#include "panes/fill_bar.h"

#include "document/text.h"
#include "models/themed_icon.h"

#include <QActionGroup>
#include <QEvent>
#include <QToolButton>

#include <algorithm>

namespace sunder {

FillBar::FillBar(SourceFills& fills, CanvasWidget& canvas, QWidget* parent)
    : QToolBar(tr("Fill"), parent), m_fills(fills), m_canvas(canvas),
      m_narrower(addStep(QStringLiteral("narrower"), tr("Narrower"), tr("Fill fewer ops: the next inner module ([)"), -1)),
      m_wider(addStep(QStringLiteral("wider"), tr("Wider"), tr("Fill more ops: the next outer module (])"), 1)),
      m_line(addSeparator())
{
    setObjectName(QStringLiteral("fillBar"));
    setAccessibleName(tr("Fill scope"));
    setIconSize({16, 16});
    setContextMenuPolicy(Qt::PreventContextMenu);
    auto* group = new QActionGroup(this);
    for (std::size_t i = 0; i < m_scopes.size(); ++i) {
        const FillScopeWords& words = kFillScopes[i];
        QAction* scope = addAction(text(words.title));
        scope->setToolTip(tr("%1 (S: next scope)").arg(text(words.tip)));
        scope->setCheckable(true);
        group->addAction(scope);
        connect(scope, &QAction::triggered, this, [this, chosen = words.scope] {
            m_fills.setScope(chosen);
            m_canvas.setFocus();
        });
        m_scopes[i] = scope;
    }
    if (auto* more = findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) {
        more->setIcon(themedIcon(QStringLiteral("next")));
        more->setToolTip(tr("More scopes"));
        more->setAccessibleName(more->toolTip());
    }
    for (QToolButton* button : findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly))
        button->setFocusPolicy(Qt::TabFocus);
    connect(&m_fills, &SourceFills::changed, this, &FillBar::refresh);
    m_canvas.installEventFilter(this);
    refresh();
}

bool FillBar::eventFilter(QObject* canvas, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move || event->type() == QEvent::Show)
        place();
    return QToolBar::eventFilter(canvas, event);
}

void FillBar::place()
{
    if (isHidden())
        return;
    constexpr int kAside = 8;
    const int width = std::min(sizeHint().width(), m_canvas.width() - 2 * kAside);
    const QPoint corner = m_canvas.mapTo(parentWidget(), QPoint((m_canvas.width() - width) / 2, kAside));
    setGeometry(QRect(corner, QSize(width, sizeHint().height())));
    raise();
}

QAction* FillBar::addStep(const QString& icon, const QString& text, const QString& tip, int by)
{
    QAction* step = addAction(themedIcon(icon), text);
    step->setToolTip(tip);
    connect(step, &QAction::triggered, this, [this, by] {
        m_fills.stepWidth(by);
        m_canvas.setFocus();
    });
    return step;
}

void FillBar::refresh()
{
    const bool isFill = m_canvas.tool() == ToolKind::fill;
    m_narrower->setEnabled(m_fills.canNarrow());
    m_wider->setEnabled(m_fills.canWiden());
    m_line->setVisible(isFill);
    for (std::size_t i = 0; i < m_scopes.size(); ++i) {
        m_scopes[i]->setVisible(isFill);
        m_scopes[i]->setChecked(isFill && kFillScopes[i].scope == m_fills.scope());
    }
    // two icons alone are not self-explanatory
    setToolButtonStyle(isFill ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    setVisible(isFill || m_canvas.tool() == ToolKind::wand);
    place();
}

} // namespace sunder

#include "moc_fill_bar.cpp"
