#pragma once

#include "canvas/drawing.h"
#include "panes/partition_dag/dag_content.h"

#include <memory>

namespace sunder {

/// Returns a drawing of the whole Partition DAG and its line of totals, for export. All boxes are folded; nothing is selected or
/// hovered. `width`: width of the layout. `zoom`: current zoom, which decides between one-line and multi-line boxes. `seen`: the
/// visible rectangle.
std::shared_ptr<const Drawing> drawingOf(DagContent content, double width, double zoom, const QRectF& seen);

} // namespace sunder
