#include "panes/pane_header.h"

#include "models/look.h"
#include "models/themed_icon.h"
#include "panes/pane.h"

#include <QHBoxLayout>
#include <QMouseEvent>

namespace sunder {

PaneHeader::PaneHeader(const QString& title, Pane& pane)
    : QWidget(&pane), m_pane(pane), m_row(new QHBoxLayout(this)), m_status(new ElidedLabel(this)), m_breadcrumbs(new Breadcrumbs(this))
{
    setObjectName(QStringLiteral("paneHeader"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(30);
    m_row->setContentsMargins(12, 0, 6, 0);
    m_row->setSpacing(4);
    auto* name = new QLabel(title, this);
    name->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    setLook(*name, QStringLiteral("sectionTitle"));
    m_status->hide();
    m_row->addWidget(name);
    m_row->addSpacing(8);
    m_row->addWidget(m_status);
    m_row->addWidget(m_breadcrumbs, 1);
}

void PaneHeader::setStatus(const QString& text, const QString& look, const QString& tip)
{
    setLook(*m_status, look);
    m_status->setLine(text, tip);
    m_status->setVisible(!text.isEmpty());
}

void PaneHeader::addWidget(QWidget* widget)
{
    m_row->addWidget(widget);
}

void PaneHeader::mouseDoubleClickEvent(QMouseEvent* event)
{
    event->accept(); // a dock would float
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
    m_row->addWidget(button);
    return button;
}

} // namespace sunder
