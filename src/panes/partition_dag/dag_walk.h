#pragma once

#include "panes/partition_dag/dag_layout.h"
#include "panes/partition_dag/dag_place.h"

namespace sunder {

/// Returns the place that a key leads to. Up and Down move between boxes. Right moves through the chips of the box, then to its
/// first outgoing ribbon and on to that ribbon's target; Left moves back. On a ribbon, Up and Down move through the ribbons of
/// its box. Home and End lead to the first and the last box. Returns `from` if there is no such place.
DagPlace walk(const DagContent& content, const DagLayout& layout, DagPlace from, int key);

} // namespace sunder
