#pragma once

#include "canvas/canvas_sight.h"
#include "canvas/edge_painter.h"

#include <QString>

#include <functional>

namespace sunder {

/// Returns the description of an edge of the picture.
using EdgeWords = std::function<QString(const Picture& picture, const PictureEdge& edge)>;

struct CanvasToolTip {
    QString text; ///< empty: no tooltip
    QRect area;   ///< area of the view for which it is valid; empty: while the mouse rests
};

/// Returns the tooltip for a point of the view: of `arrow`, an arrow at the edge of the view, or else of the closed item, edge,
/// or frame. `edgeWords` describes an edge, or each edge of a chip; if it is null, the picture's own data is used.
CanvasToolTip toolTipAt(const CanvasSight& sight, QPointF at, const EdgeArrow* arrow, const EdgeWords& edgeWords = {});

} // namespace sunder
