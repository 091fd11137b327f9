#pragma once

#include "panes/partition_dag/dag_hit.h"
#include "panes/partition_dag/dag_layout.h"

namespace sunder {

/// Returns the place that a key leads to. Up and Down move between boxes. Right moves through the chips of the box, then to its
/// first outgoing edge and on to that edge's target; Left moves back. On an edge, Up and Down move through the edges of
/// its box. Home and End lead to the first and the last box. Returns `from` if there is no such place.
DagHit walk(const DagContent& content, const DagLayout& layout, DagHit from, int key);

} // namespace sunder
