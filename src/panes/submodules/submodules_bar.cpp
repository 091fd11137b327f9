#include "panes/submodules/submodules_bar.h"

#include "models/look.h"
#include "text/shown_text.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace sunder {

SubmodulesBar::SubmodulesBar(QWidget* parent)
    : QWidget(parent), m_interface(new QToolButton(this)), m_modes(new QButtonGroup(this)), m_tiles(new QToolButton(this))
{
    setObjectName(QStringLiteral("paneHeader"));
    setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 2, 6, 3);
    row->setSpacing(2);
    m_interface->setCheckable(true);
    setLook(*m_interface, QStringLiteral("disclosure"));
    m_interface->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_interface->setArrowType(Qt::RightArrow);
    m_interface->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    row->addWidget(m_interface, 1);
    struct Choice {
        SubmoduleMode mode;
        QString title;
        QString tip;
    };
    const Choice choices[] = {
        {SubmoduleMode::graph, tr("Graph"), tr("The graph of the part")},
        {SubmoduleMode::code, tr("Code"), tr("The forward() that torch makes of it; a line leads to its node")},
        {SubmoduleMode::both, tr("Both"), QString()},
        {SubmoduleMode::names, tr("Names"), tr("What each op and parameter is called in the source and here")},
    };
    m_modes->setExclusive(true);
    for (const Choice& choice : choices) {
        auto* button = new QToolButton(this);
        setLook(*button, QStringLiteral("segment"));
        button->setText(choice.title);
        button->setToolTip(choice.tip);
        button->setCheckable(true);
        m_modes->addButton(button, static_cast<int>(choice.mode));
        row->addWidget(button);
    }
    row->addSpacing(6);
    setLook(*m_tiles, QStringLiteral("segment"));
    m_tiles->setText(tr("Tiles"));
    m_tiles->setToolTip(tr("All parts side by side instead of one at a time"));
    m_tiles->setCheckable(true);
    row->addWidget(m_tiles);
    showMode();
    connect(m_modes, &QButtonGroup::idClicked, this, [this](int id) {
        m_mode = static_cast<SubmoduleMode>(id);
        emit modeChosen(m_mode);
    });
    connect(m_interface, &QToolButton::toggled, this, [this](bool open) {
        m_interface->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        emit interfaceToggled(open);
    });
    connect(m_tiles, &QToolButton::toggled, this, &SubmodulesBar::tiledToggled);
}

void SubmodulesBar::setSummary(const QString& text)
{
    m_summaryText = text;
    m_interface->setToolTip(folded(tr("%1\nShows what the part takes and gives, with types and sizes").arg(text)));
    m_interface->setAccessibleName(tr("Interface: %1").arg(text));
    elide();
}

void SubmodulesBar::elide()
{
    constexpr int kArrow = 28;
    constexpr int kMostShown = 500; // characters: no pane is as wide
    m_interface->setText(caption(m_interface->fontMetrics().elidedText(brief(m_summaryText, kMostShown), Qt::ElideRight,
                                                                       m_interface->width() - kArrow),
                                 kMostShown));
}

void SubmodulesBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layout()->activate();
    elide();
}

void SubmodulesBar::setMode(SubmoduleMode mode)
{
    m_mode = mode;
    showMode();
}

void SubmodulesBar::setRoomForBoth(bool room)
{
    m_roomForBoth = room;
    showMode();
}

void SubmodulesBar::showMode()
{
    QToolButton& both = button(SubmoduleMode::both);
    both.setEnabled(m_roomForBoth);
    both.setToolTip(m_roomForBoth ? tr("Graph and code side by side")
                                  : tr("Graph and code side by side: needs a wider pane"));
    button(m_mode == SubmoduleMode::both && !m_roomForBoth ? SubmoduleMode::graph : m_mode).setChecked(true);
}

QToolButton& SubmodulesBar::button(SubmoduleMode mode) const
{
    return *static_cast<QToolButton*>(m_modes->button(static_cast<int>(mode)));
}

void SubmodulesBar::setInterfaceOpen(bool open)
{
    m_interface->setChecked(open);
}

bool SubmodulesBar::isInterfaceOpen() const
{
    return m_interface->isChecked();
}

void SubmodulesBar::setTiled(bool tiled)
{
    m_tiles->setChecked(tiled);
}

bool SubmodulesBar::isTiled() const
{
    return m_tiles->isChecked();
}

} // namespace sunder
