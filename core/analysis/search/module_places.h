#pragma once

#include "ir/program.h"

#include <string_view>
#include <vector>

namespace sunder {

/// A module in which nodes of the root graph run, or what holds such modules: a list of them has a path and no class.
struct ModulePlace {
    std::string path;
    InternedString cls = {};
};

/// Each once, in the order in which their first nodes run; what holds others comes before them. O(nodes + stacks × depth).
std::vector<ModulePlace> modulePlaces(const Program& program);

/// Nodes of the root graph that run in the module at this path, or in one below it, in graph order. O(nodes × depth of their
/// stacks).
std::vector<NodeId> nodesIn(const Program& program, std::string_view path);

} // namespace sunder
