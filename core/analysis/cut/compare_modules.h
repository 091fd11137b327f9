#pragma once

#include "analysis/cut/compare_assignments.h"
#include "ir/identity_map.h"

#include <optional>

namespace sunder {

/// A module whose graphs are not as large in two results, or that only one of them has.
struct ModuleChange {
    InternedString path; ///< "" is the root
    std::optional<std::size_t> nodesBefore; ///< of its graphs; nothing: there is no such module
    std::optional<std::size_t> nodesAfter;
};

/// What two module trees that were made of one source differ in.
struct ModuleComparison : AssignmentComparison {
    TagAssignment before; ///< the modules in which calls are, by path; indices of `parts` and `moved` are into their order
    TagAssignment after;
    std::vector<ModuleChange> modules; ///< in the order of the second tree, then those that are gone
    std::size_t modulesBefore = 0;     ///< with a graph
    std::size_t modulesAfter = 0;
    std::size_t nodesBefore = 0; ///< of all graphs
    std::size_t nodesAfter = 0;
};

/// A program made of a source, with what its nodes stand for there.
struct MadeProgram {
    const Program& program;
    const IdentityMap& map;
};

/// Compares the modules of two results of one source by their paths. O(nodes + modules + pairs).
ModuleComparison compareModules(const Program& source, const MadeProgram& before, const MadeProgram& after);

} // namespace sunder
