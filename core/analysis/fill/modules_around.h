#pragma once

#include "ir/program.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A module that contains all nodes of a pick, or a list of such modules, which has a path but no class.
struct EnclosingModule {
    std::string path;
    InternedString cls = {};
};

/// Returns the modules that enclose all of these nodes of the root graph, innermost first, without the model itself. If `from` is
/// one of them, the result starts with it: picking a collapsed module means that module, not one inside it. Empty if the nodes
/// run in no module or in no common module. O(nodes × depth of their stacks).
std::vector<EnclosingModule> modulesAround(const Program& program, std::span<const NodeId> nodes, std::string_view from = {});

} // namespace sunder
