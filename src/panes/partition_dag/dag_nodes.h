#pragma once

#include "document/runs/cut_measure.h"
#include "panes/partition_dag/dag_view.h"

namespace sunder {

// What places of a DAG are about, as nodes of the source.

/// The op at the edge of a box that a chip stands for; null for any other place.
const DagHandle* handleAt(const DagView& view, DagPlace place);

/// The value that a chip beside a box stands for; null for any other place.
const DagShared* sharedAt(const DagView& view, DagPlace place);

/// The ops of a box, the op of a handle, the values of a ribbon, a shared value; none of other chips.
std::vector<NodeId> nodesAt(const DagView& view, const CutMeasure& measure, DagPlace place);

/// The part in a box, as the person calls it.
QString nameOfBox(const DagView& view, int box);

/// A selection, sorted, with others added or, where all of them are in it and the mode toggles, without them.
std::vector<NodeId> withPicked(const std::vector<NodeId>& selected, std::vector<NodeId> picked, SelectionMode mode);

} // namespace sunder
