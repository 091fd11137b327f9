#pragma once

#include "document/runs/run.h"
#include "document/selection.h"

namespace sunder {

// What nodes of the source and nodes of the program of a run are to each other. A run that is null, or has no program, knows none.

/// What stands in the run's program for nodes of this graph of the source, given ascending. O(nodes × log pairs), or O(pairs) for
/// many nodes.
std::vector<NodeRef> counterpartsIn(const Run* run, GraphId source, const std::vector<NodeId>& nodes);
/// Of those the copies, without what only carries their values over a boundary.
std::vector<NodeRef> copiesIn(const Run* run, GraphId source, const std::vector<NodeId>& nodes);
/// The nodes of this graph of the source that nodes of the run's program stand for, ascending.
std::vector<NodeId> sourcesOf(const Run* run, GraphId source, const std::vector<NodeRef>& nodes);

/// What is selected when these nodes of a run's program are picked.
Selection pickedIn(const Run& run, GraphId source, std::vector<NodeRef> nodes);

} // namespace sunder
