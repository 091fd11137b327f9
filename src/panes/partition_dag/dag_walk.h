#pragma once

#include "panes/partition_dag/dag_layout.h"
#include "panes/partition_dag/dag_place.h"

namespace sunder {

/// Where a key leads from a place. Up and Down go from box to box; Right goes through the chips of the box, to the first
/// ribbon that leaves it and on to where that leads, Left back; on a ribbon Up and Down go through the ribbons of its box;
/// Home and End go to the first and the last box. The place itself where there is nothing.
DagPlace walk(const DagContent& content, const DagLayout& layout, DagPlace from, int key);

} // namespace sunder
