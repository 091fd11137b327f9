#pragma once

#include "canvas/drawing.h"
#include "panes/partition_dag/dag_content.h"

#include <memory>

namespace sunder {

/// All of a Partition DAG with its line of totals, for a file: boxes folded, nothing selected or pointed at. `width`: of the
/// layout; `zoom`: at which it is seen, which says whether many boxes have one line or two; `seen`: the part in sight.
std::shared_ptr<const Drawing> drawingOf(DagContent content, double width, double zoom, const QRectF& seen);

} // namespace sunder
