#pragma once

#include <QPainterPath>
#include <QRectF>

namespace sunder {

/// The left end of a rounded box, `width` wide.
QPainterPath leftEnd(const QRectF& box, double radius, double width);

/// A piece of the lower end of a rounded box; corners of the box are rounded, cuts between pieces are straight.
QPainterPath lowerPiece(const QRectF& piece, double radius, bool first, bool last);

/// What opens (pointing right) and closes (`open`: pointing down) a module.
QPainterPath triangle(QPointF center, double size, bool open);

/// What stands for "untagged".
QPainterPath diamond(QPointF center, double half);

} // namespace sunder
