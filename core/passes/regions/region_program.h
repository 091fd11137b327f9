#pragma once

#include "ir/program.h"
#include "passes/regions/region_result.h"

#include <span>
#include <vector>

namespace sunder {

/// Returns the path of the innermost enclosing module of all `nodes` of the root graph; empty if that is the root module. Ignores
/// nodes without a module. O(nodes × depth of their stacks).
InternedString enclosingModule(const Program& program, std::span<const NodeId> nodes);

/// The first region of a group as a separate program, for display.
struct RegionProgram {
    Program program; ///< the region is its root graph
    std::vector<NodeId> nodes; ///< per node of the region: its copy; invalid if there is none
    std::vector<NodeId> shared = {}; ///< inputs that have the same value in all regions of the group
    InternedString within = {}; ///< path of the innermost enclosing module of the region; empty: the root module
};

/// Copies the nodes of the first region under their own names, in an order in which they can run. External values become
/// placeholders; a signature marks those for parameters and buffers, or get_attr nodes read them. Values used outside become
/// outputs. Graphs that nodes refer to are copied as well. O(group + nodes + modules + tensors + graphs other than the root).
RegionProgram regionProgram(const Program& source, const RegionGroup& group);

} // namespace sunder
