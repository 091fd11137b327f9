#pragma once

#include "ir/program.h"
#include "passes/regions/region_result.h"

#include <vector>

namespace sunder {

/// The first region of a group as a program of its own, for drawing it.
struct RegionProgram {
    Program program;           ///< the region is its root graph
    std::vector<NodeId> nodes; ///< per node of the region: the node that stands for it; invalid: none
    std::vector<NodeId> shared = {}; ///< inputs that are one and the same value for all regions of the group
    InternedString within = {}; ///< path of the innermost module that holds all of the region; empty: the model itself
};

/// Copies the nodes of the first region, which stand in an order in which they can run, under their own names: what they
/// take from outside becomes placeholders, parameters and buffers such that a signature calls them so (or get_attr
/// nodes), and what others take from them becomes the output. Graphs that nodes hold come along. O(group + modules + tensors + graphs besides the root).
RegionProgram regionProgram(const Program& source, const RegionGroup& group);

} // namespace sunder
