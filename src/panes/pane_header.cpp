#include "panes/pane_header.h"

#include "models/look.h"
#include "models/themed_icon.h"
#include "panes/pane.h"
#include "panes/ui_pane_header.h"

#include <QActionGroup>
#include <QMenu>
#include <QMouseEvent>

#include <utility>

namespace sunder {

PaneHeader::PaneHeader(const QString& title, Pane& pane) : QWidget(&pane), m_pane(pane), m_ui(std::make_unique<Ui::PaneHeader>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->title->setText(title);
    m_ui->status->hide();
}

PaneHeader::~PaneHeader() = default;

Breadcrumbs& PaneHeader::breadcrumbs()
{
    return *m_ui->breadcrumbs;
}

QString PaneHeader::status() const
{
    return m_ui->status->line();
}

QString PaneHeader::statusDetail() const
{
    return m_ui->status->tip();
}

void PaneHeader::setStatus(const QString& text, const QString& look, const QString& tip)
{
    setLook(*m_ui->status, look);
    m_ui->status->setLine(text, tip);
    m_ui->status->setVisible(!text.isEmpty());
}

void PaneHeader::addWidget(QWidget* widget)
{
    m_ui->row->addWidget(widget);
}

void PaneHeader::mouseDoubleClickEvent(QMouseEvent* event)
{
    event->accept(); // otherwise the dock would float
    emit doubleClicked();
}

QToolButton* PaneHeader::addButton(const QString& icon, const QString& tip)
{
    auto* button = new QToolButton(this);
    button->setIcon(themedIcon(icon));
    button->setIconSize({14, 14});
    button->setToolTip(tip);
    button->setAccessibleName(tip.section(QLatin1Char('\n'), 0, 0));
    button->setFocusPolicy(Qt::TabFocus);
    m_ui->row->addWidget(button);
    return button;
}

LinkButton::LinkButton(QWidget* parent) : QToolButton(parent)
{
    setObjectName(QStringLiteral("link"));
    setIcon(themedIcon(QStringLiteral("link")));
    setIconSize({14, 14});
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    setMenu(menu);
    // some styles do not draw the text of a section
    menu->addAction(tr("When the selection changes in another pane"))->setEnabled(false);
    const std::array<std::pair<QString, QString>, 3> texts = {
        std::pair{
            tr("&Stay"),
            tr("Keep the view and mark the selection; arrows at the edge of the view count marks out of view (G jumps there)")},
        {tr("&Follow the selection"), tr("Scroll just far enough to show it")},
        {tr("&Center the selection"), tr("Scroll so that it is in the center")}};
    auto* group = new QActionGroup(this);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        QAction* action = menu->addAction(texts[i].first);
        action->setToolTip(texts[i].second);
        action->setCheckable(true);
        group->addAction(action);
        m_follow[i] = action;
        connect(action, &QAction::triggered, this, [this, i] { setFollowing(static_cast<Following>(i)); });
    }
    m_peersTitle = menu->addSeparator();
    setPeers({});
}

void LinkButton::setFollowing(Following following)
{
    const Following before = std::exchange(m_following, following);
    showState();
    if (before != following)
        emit followingChanged(following);
}

void LinkButton::setPeers(const std::vector<Peer>& peers)
{
    for (QAction* action : m_peers) { // the signal may come from one of these actions
        menu()->removeAction(action);
        action->deleteLater();
    }
    m_peers.clear();
    m_locked.clear();
    m_peersTitle->setVisible(!peers.empty());
    for (std::size_t i = 0; i < peers.size(); ++i) {
        QAction* action = menu()->addAction(tr("Lock zoom with %1").arg(peers[i].title));
        action->setToolTip(tr("Zooming in one pane zooms the other"));
        action->setCheckable(true);
        action->setChecked(peers[i].isLocked);
        if (peers[i].isLocked)
            m_locked << peers[i].title;
        connect(action, &QAction::triggered, this, [this, i](bool on) { emit lockToggled(static_cast<int>(i), on); });
        m_peers.push_back(action);
    }
    showState();
}

void LinkButton::showState()
{
    m_follow[static_cast<std::size_t>(m_following)]->setChecked(true);
    const std::array<QString, 3> texts = {tr("stays when the selection changes elsewhere"), tr("follows the selection"),
                                          tr("centers the selection")};
    QString state = texts[static_cast<std::size_t>(m_following)];
    if (!m_locked.isEmpty())
        state = tr("%1, zooms with %2").arg(state, m_locked.join(tr(" and ")));
    setToolTip(tr("Linked: %1").arg(state));
    setAccessibleName(tr("Link to the other panes"));
    setAccessibleDescription(state);
}

} // namespace sunder

#include "moc_pane_header.cpp"
