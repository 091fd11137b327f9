#include "panes/partition_dag/node_drag.h"

#include "models/tag_style_of.h"
#include "panes/partition_dag/dag_view.h"

#include <QDrag>
#include <QPainter>

namespace sunder {
namespace {

QPixmap chipOf(const QWidget& from, const QString& name)
{
    constexpr int kMostWidth = 240;
    const Theme& theme = currentTheme();
    const QFontMetrics metrics = from.fontMetrics();
    const QString shown = metrics.elidedText(name, Qt::ElideMiddle, kMostWidth);
    const QSize size(metrics.horizontalAdvance(shown) + 20, metrics.height() + 6);
    QPixmap pixmap(size * from.devicePixelRatioF());
    pixmap.setDevicePixelRatio(from.devicePixelRatioF());
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(from.font());
    painter.setPen(QPen(theme.selection, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(QPointF(0.5, 0.5), QSizeF(size) - QSizeF(1, 1)), 5, 5);
    painter.setPen(theme.text);
    painter.drawText(QRect(QPoint(0, 0), size), Qt::AlignCenter, shown);
    return pixmap;
}

} // namespace

void dragNodes(QWidget& from, const std::vector<NodeId>& nodes, const QString& name)
{
    auto* drag = new QDrag(&from);
    drag->setMimeData(mimeOf(nodes));
    drag->setPixmap(chipOf(from, name));
    drag->setHotSpot({-12, 8});
    drag->exec(Qt::MoveAction | Qt::CopyAction, Qt::MoveAction);
}

} // namespace sunder
