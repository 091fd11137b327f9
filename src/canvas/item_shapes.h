#pragma once

#include <QPainterPath>
#include <QRectF>

namespace sunder {

/// Returns the left end of a rounded box, `width` wide.
QPainterPath leftEnd(const QRectF& box, double radius, double width);

/// Returns a piece of the lower end of a rounded box. The corners of the box are rounded, the cuts between pieces are straight.
QPainterPath lowerPiece(const QRectF& piece, double radius, bool first, bool last);

/// Returns the triangle of a module: it points right if closed and down if `open`.
QPainterPath triangle(QPointF center, double size, bool open);

/// Returns the mark for "untagged".
QPainterPath diamond(QPointF center, double half);

} // namespace sunder
