#pragma once

#include "document/runs/run.h"
#include "document/selection.h"

namespace sunder {

// The mapping between source nodes and nodes of a run's program. Empty if the run is null or has no program.

/// Returns the counterparts of nodes of a source graph; `nodes` is ascending. O(nodes × log pairs), or O(pairs) for many nodes.
std::vector<NodeRef> counterpartsIn(const Run* run, GraphId source, const std::vector<NodeId>& nodes);
/// Returns only those counterparts that are copies, without nodes that carry values across boundaries.
std::vector<NodeRef> copiesIn(const Run* run, GraphId source, const std::vector<NodeId>& nodes);
/// Returns the nodes of this source graph that correspond to nodes of the run's program, ascending.
std::vector<NodeId> sourcesOf(const Run* run, GraphId source, const std::vector<NodeRef>& nodes);

/// Returns the selection for nodes picked in a run's program.
Selection pickedIn(const Run& run, GraphId source, std::vector<NodeRef> nodes);

} // namespace sunder
