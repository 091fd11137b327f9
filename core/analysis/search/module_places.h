#pragma once

#include "ir/program.h"

#include <string_view>
#include <vector>

namespace sunder {

/// A module in which nodes of the root graph run, or a parent of such modules: a list of modules has a path but no class.
struct ModulePlace {
    std::string path;
    InternedString cls = {};
};

/// Returns each module once, in the order of its first node, parents first. O(nodes + stacks × depth).
std::vector<ModulePlace> modulePlaces(const Program& program);

/// Returns the nodes of the root graph that run in or below the module at this path, in graph order. O(nodes × depth of their
/// stacks).
std::vector<NodeId> nodesIn(const Program& program, std::string_view path);

} // namespace sunder
