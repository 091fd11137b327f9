#include "app/side_panel.h"

#include <QLayout>
#include <QMouseEvent>

#include <algorithm>

namespace sunder {

SidePanel::SidePanel(QWidget& panel, QWidget* parent) : QWidget(parent), m_panel(panel)
{
    panel.setParent(this);
    panel.show();
}

int SidePanel::headerHeight() const
{
    return m_panel.layout()->itemAt(0)->sizeHint().height();
}

void SidePanel::setFolded(bool isFolded)
{
    m_isFolded = isFolded;
    if (isFolded)
        setCursor(Qt::PointingHandCursor);
    else
        unsetCursor();
    setToolTip(isFolded ? tr("Click to open") : QString());
}

void SidePanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_panel.setGeometry(0, 0, width(), std::max(height(), m_panel.minimumHeight()));
}

void SidePanel::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && event->position().y() < headerHeight())
        emit headerClicked();
    else
        QWidget::mousePressEvent(event);
}

} // namespace sunder

#include "moc_side_panel.cpp"
