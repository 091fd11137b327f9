#pragma once

#include "canvas/canvas_sight.h"
#include "canvas/edge_arrows.h"

#include <QString>

#include <functional>

namespace sunder {

/// What there is to say about an edge of the picture.
using EdgeWords = std::function<QString(const Picture& picture, const PictureEdge& edge)>;

struct CanvasToolTip {
    QString text; ///< empty: nothing is there
    QRect area;   ///< of the view, in which it stays; empty: as long as the mouse rests
};

/// What is said of the point of a view: of `arrow`, an arrow at the border that is there, else of the closed item, the edge or the
/// frame below. `edgeWords` says more of an edge, and of each that a chip stands for; null: what the picture knows.
CanvasToolTip toolTipAt(const CanvasSight& sight, QPointF at, const EdgeArrow* arrow, const EdgeWords& edgeWords = {});

} // namespace sunder
