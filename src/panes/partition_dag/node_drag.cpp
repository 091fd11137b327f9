#include "panes/partition_dag/node_drag.h"

#include "models/tag_style_of.h"
#include "text/elided_name.h"

#include <QDrag>
#include <QMimeData>
#include <QPainter>
#include <QWidget>

namespace sunder {
namespace {

QPixmap chipOf(const QWidget& from, const QString& name)
{
    constexpr int kMaxWidth = 240;
    const Theme& theme = currentTheme();
    const QFontMetrics metrics = from.fontMetrics();
    const QString shown = elidedName(name, QFontMetricsF(from.font()), kMaxWidth);
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

std::vector<NodeId> nodesIn(const QMimeData* data)
{
    std::vector<NodeId> nodes;
    for (const QByteArray& id : data->data(QLatin1String(kNodesMime)).split(',')) {
        bool ok = false;
        const std::uint32_t index = id.toUInt(&ok);
        if (ok)
            nodes.push_back(NodeId(index));
    }
    return nodes;
}

QMimeData* mimeOf(const std::vector<NodeId>& nodes)
{
    QByteArray ids;
    for (const NodeId id : nodes)
        ids += QByteArray::number(id.index()) + ',';
    ids.chop(1);
    auto* data = new QMimeData;
    data->setData(QLatin1String(kNodesMime), ids);
    return data;
}

bool carriesNodes(const QMimeData& data)
{
    return data.hasFormat(QLatin1String(kNodesMime));
}

void dragNodes(QWidget& from, const std::vector<NodeId>& nodes, const QString& name)
{
    auto* drag = new QDrag(&from);
    drag->setMimeData(mimeOf(nodes));
    drag->setPixmap(chipOf(from, name));
    drag->setHotSpot({-12, 8});
    drag->exec(Qt::MoveAction | Qt::CopyAction, Qt::MoveAction);
}

} // namespace sunder
