#pragma once

#include "canvas/canvas_scene.h"

#include <QString>

namespace sunder {

/// Describes an item in one sentence for screen readers, e.g. "addmm_41, linear, layers.3.mlp, tag T2, 2×16, 3 inputs, 2 users,
/// 4 MB, 8 MB out, legal".
QString describeItem(const CanvasScene& scene, ItemId item);

/// Returns rich text with all details: names, shape, module, ops, bytes, tags, producers, and consumers.
QString tooltipOf(const CanvasScene& scene, ItemId item);

/// Returns the same for an edge: its ends, number of values, and bytes.
QString edgeTooltip(const CanvasScene& scene, std::uint32_t edge);

} // namespace sunder
