#include "canvas/item_shapes.h"

#include <algorithm>

namespace sunder {

QPainterPath leftEnd(const QRectF& box, double radius, double width)
{
    QPainterPath path;
    path.moveTo(box.left() + width, box.top());
    path.lineTo(box.left() + radius, box.top());
    path.quadTo(box.topLeft(), {box.left(), box.top() + radius});
    path.lineTo(box.left(), box.bottom() - radius);
    path.quadTo(box.bottomLeft(), {box.left() + radius, box.bottom()});
    path.lineTo(box.left() + width, box.bottom());
    path.closeSubpath();
    return path;
}

QPainterPath lowerPiece(const QRectF& piece, double radius, bool first, bool last)
{
    const double r = std::min({radius, piece.height(), piece.width()});
    QPainterPath path;
    path.moveTo(piece.topLeft());
    path.lineTo(piece.topRight());
    path.lineTo(piece.right(), piece.bottom() - (last ? r : 0));
    if (last)
        path.quadTo(piece.bottomRight(), {piece.right() - r, piece.bottom()});
    path.lineTo(piece.left() + (first ? r : 0), piece.bottom());
    if (first)
        path.quadTo(piece.bottomLeft(), {piece.left(), piece.bottom() - r});
    path.closeSubpath();
    return path;
}

QPainterPath triangle(QPointF center, double size, bool open)
{
    QPainterPath path;
    const double h = size / 2;
    if (open) {
        path.moveTo(center.x() - h, center.y() - h * 0.7);
        path.lineTo(center.x() + h, center.y() - h * 0.7);
        path.lineTo(center.x(), center.y() + h * 0.8);
    } else {
        path.moveTo(center.x() - h * 0.7, center.y() - h);
        path.lineTo(center.x() + h * 0.8, center.y());
        path.lineTo(center.x() - h * 0.7, center.y() + h);
    }
    path.closeSubpath();
    return path;
}

QPainterPath diamond(QPointF center, double half)
{
    QPainterPath path;
    path.moveTo(center.x(), center.y() - half);
    path.lineTo(center.x() + half, center.y());
    path.lineTo(center.x(), center.y() + half);
    path.lineTo(center.x() - half, center.y());
    path.closeSubpath();
    return path;
}

} // namespace sunder
