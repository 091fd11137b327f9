#pragma once

#include "canvas/canvas_scene.h"

#include <QString>

namespace sunder {

/// One sentence, as screen readers say it: "addmm_41, linear, layers.3.mlp, tag T2, 2×16, 3 inputs, 2 readers, 4 MB, 8 MB out, legal".
QString describeItem(const CanvasScene& scene, ItemId item);

/// Rich text with everything in full: names, shape, module, ops, bytes, tags, producers and readers.
QString tooltipOf(const CanvasScene& scene, ItemId item);

/// The same for an edge: from where to where, how many values, bytes.
QString edgeTooltip(const CanvasScene& scene, std::uint32_t edge);

} // namespace sunder
