#pragma once

#include "document/runs/cut_measure.h"
#include "panes/partition_dag/dag_view.h"

namespace sunder {

// Maps places of a DAG to nodes of the source.

/// Returns the op at the edge of a box for a chip; null for other places.
const DagHandle* handleAt(const DagView& view, DagHit place);

/// Returns the shared value of a chip; null for other places.
const DagShared* sharedAt(const DagView& view, DagHit place);

/// Returns the ops of a box, the op of a handle, the values of an edge, or a shared value; empty for other chips.
std::vector<NodeId> nodesAt(const DagView& view, const CutMeasure& measure, DagHit place);

/// Returns the display name of the part in a box.
QString nameOfBox(const DagView& view, int box);

/// Returns the sorted selection with `picked` added, or removed if the mode toggles and all of them are selected.
std::vector<NodeId> withPicked(const std::vector<NodeId>& selected, std::vector<NodeId> picked, SelectionMode mode);

} // namespace sunder
