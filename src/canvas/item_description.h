#pragma once

#include "canvas/canvas_scene.h"
#include "canvas/canvas_sight.h"
#include "canvas/edge_painter.h"

#include <QString>
#include <functional>
#include <span>

namespace sunder {

/// Returns the costs of the nodes of an item, e.g. "1.2 GFLOP (3.1%), 4.0 MB moved"; empty if they are not known.
using CostWords = std::function<QString(std::span<const NodeId> nodes)>;

/// Describes an item in one sentence for screen readers, e.g. "addmm_41, linear, layers.3.mlp, tag T2, 2×16, 3 inputs, 2 users,
/// 4 MB, 8 MB out, legal".
QString describeItem(const CanvasScene& scene, ItemId item, const CostWords& costs = {});

/// Returns rich text with all details: names, shape, module, ops, bytes, tags, producers, and consumers.
QString tooltipOf(const CanvasScene& scene, ItemId item, const CostWords& costs = {});

/// Returns the same for an edge: its ends, number of values, and bytes.
QString edgeTooltip(const CanvasScene& scene, std::uint32_t edge);

/// Returns the description of an edge of the picture.
using EdgeWords = std::function<QString(const Picture& picture, const PictureEdge& edge)>;

struct CanvasToolTip {
    QString text; ///< empty: no tooltip
    QRect area;   ///< area of the view for which it is valid; empty: while the mouse rests
};

/// Returns the tooltip for a point of the view: of `arrow`, an arrow at the edge of the view, or else of the closed item, edge,
/// or frame. `edgeWords` describes an edge, or each edge of a chip; if it is null, the picture's own data is used.
CanvasToolTip toolTipAt(const CanvasSight& sight, QPointF at, const EdgeArrow* arrow, const EdgeWords& edgeWords = {},
                        const CostWords& costs = {});

} // namespace sunder
