#include "panes/submodules/submodules_bar.h"

#include "panes/submodules/ui_submodules_bar.h"
#include "text/elided_name.h"
#include "text/shown_text.h"

namespace sunder {

SubmodulesBar::SubmodulesBar(QWidget* parent) : QWidget(parent), m_ui(std::make_unique<Ui::SubmodulesBar>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->modes->setId(m_ui->graph, static_cast<int>(SubmoduleMode::graph));
    m_ui->modes->setId(m_ui->code, static_cast<int>(SubmoduleMode::code));
    m_ui->modes->setId(m_ui->both, static_cast<int>(SubmoduleMode::both));
    m_ui->modes->setId(m_ui->names, static_cast<int>(SubmoduleMode::names));
    showMode();
    connect(m_ui->modes, &QButtonGroup::idClicked, this, [this](int id) {
        m_mode = static_cast<SubmoduleMode>(id);
        emit modeChosen(m_mode);
    });
    connect(m_ui->summary, &QToolButton::toggled, this, [this](bool open) {
        m_ui->summary->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        emit interfaceToggled(open);
    });
    connect(m_ui->tiles, &QToolButton::toggled, this, &SubmodulesBar::tiledToggled);
}

SubmodulesBar::~SubmodulesBar() = default;

QToolButton& SubmodulesBar::tilesButton() const
{
    return *m_ui->tiles;
}

QToolButton& SubmodulesBar::interfaceButton() const
{
    return *m_ui->summary;
}

void SubmodulesBar::setSummary(const QString& text)
{
    m_summaryText = text;
    m_ui->summary->setToolTip(folded(tr("%1\nShow inputs, outputs, and parameters with types and sizes").arg(text)));
    m_ui->summary->setAccessibleName(tr("Interface: %1").arg(text));
    elide();
}

void SubmodulesBar::elide()
{
    constexpr int kArrow = 28;
    constexpr int kMaxShown = 500; // characters; no pane is that wide
    m_ui->summary->setText(caption(
        elidedWords(brief(m_summaryText, kMaxShown), QFontMetricsF(m_ui->summary->font()), m_ui->summary->width() - kArrow),
        kMaxShown));
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
    both.setToolTip(m_roomForBoth ? tr("Graph and code side by side") : tr("Graph and code side by side (needs a wider pane)"));
    button(m_mode == SubmoduleMode::both && !m_roomForBoth ? SubmoduleMode::graph : m_mode).setChecked(true);
}

QToolButton& SubmodulesBar::button(SubmoduleMode mode) const
{
    return *static_cast<QToolButton*>(m_ui->modes->button(static_cast<int>(mode)));
}

void SubmodulesBar::setInterfaceOpen(bool open)
{
    m_ui->summary->setChecked(open);
}

bool SubmodulesBar::isInterfaceOpen() const
{
    return m_ui->summary->isChecked();
}

void SubmodulesBar::setTiled(bool tiled)
{
    m_ui->tiles->setChecked(tiled);
}

bool SubmodulesBar::isTiled() const
{
    return m_ui->tiles->isChecked();
}

} // namespace sunder

#include "moc_submodules_bar.cpp"
