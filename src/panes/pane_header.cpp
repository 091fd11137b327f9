#include "panes/pane_header.h"

#include "models/look.h"
#include "models/themed_icon.h"
#include "panes/pane.h"
#include "panes/ui_pane_header.h"

#include <QMouseEvent>

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

} // namespace sunder

#include "moc_pane_header.cpp"
