#pragma once

#include "canvas/canvas_sight.h"
#include "canvas/edge_arrows.h"

#include <QString>

namespace sunder {

struct CanvasToolTip {
    QString text; ///< empty: nothing is there
    QRect area;   ///< of the view, in which it stays; empty: as long as the mouse rests
};

/// What is said of the point of a view: of `arrow`, an arrow at the border that is there, else of the closed item, the edge or the
/// frame below.
CanvasToolTip toolTipAt(const CanvasSight& sight, QPointF at, const EdgeArrow* arrow);

} // namespace sunder
