#pragma once

#include "ir/program.h"

#include <span>
#include <vector>

namespace sunder {

/// A region of a program as a program of its own, for drawing it.
struct RegionProgram {
    Program program;
    std::vector<NodeId> nodes; ///< per node of the region: its copy
};

/// Copies the nodes of a region, which stand in an order in which they can run, under their own names: what they take
/// from outside becomes placeholders, parameters and buffers such that a signature calls them so (or get_attr nodes), and
/// what others take from them becomes the output. Modules that hold all of the region are left out of module stacks. Graphs that nodes hold come along. O(region +
/// modules + tensors + graphs besides the root).
RegionProgram regionProgram(const Program& source, std::span<const NodeId> region);

} // namespace sunder
