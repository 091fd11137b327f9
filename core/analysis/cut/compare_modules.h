#pragma once

#include "analysis/cut/compare_assignments.h"
#include "ir/identity_map.h"

#include <optional>

namespace sunder {

/// A module whose graph size differs between two results, or that only one of them has.
struct ModuleChange {
    InternedString path; ///< "" is the root
    std::optional<std::size_t> nodesBefore; ///< of its graphs; nothing: no such module
    std::optional<std::size_t> nodesAfter;
};

/// The differences between two module trees made from one source.
struct ModuleComparison : AssignmentComparison {
    TagAssignment before; ///< the module of each call, by path; `parts` and `moved` index its order
    TagAssignment after;
    std::vector<ModuleChange> modules; ///< in the order of the second tree, then removed modules
    std::size_t modulesBefore = 0;     ///< modules with a graph
    std::size_t modulesAfter = 0;
    std::size_t nodesBefore = 0; ///< of all graphs
    std::size_t nodesAfter = 0;
};

/// A program made from a source, with its mapping to source nodes.
struct MadeProgram {
    const Program& program;
    const IdentityMap& map;
};

/// Compares the modules of two results of one source by path. O(nodes + modules + pairs).
ModuleComparison compareModules(const Program& source, const MadeProgram& before, const MadeProgram& after);

} // namespace sunder
