#pragma once

#include "ir/program.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A module that holds all nodes of a pick, or a list of such modules, which has a path and no class.
struct ModuleAround {
    std::string path;
    InternedString cls = {};
};

/// The modules around all of these nodes of the root graph, innermost first; the model itself is none. Where `from` names one
/// of them, it is the first: a person who points at a closed module means it, not the one that it holds. Empty where nodes
/// run in no module or in none together. O(nodes × depth of their stacks).
std::vector<ModuleAround> modulesAround(const Program& program, std::span<const NodeId> nodes, std::string_view from = {});

} // namespace sunder
