// Two module hierarchies of one flat program, side by side. A module is known by its path, so a call has moved when the
// module whose graph has its copy is at another path; modules with a graph of another size, and those that only one tree
// has, are listed besides, because a signature can change without a call moving.
#include "analysis/cut/compare_modules.h"

#include "analysis/cut/module_assignment.h"

#include <unordered_map>

namespace sunder {
namespace {

struct OwnedNodes {
    std::vector<InternedString> paths; ///< of modules with a graph, in the order of the tree
    std::unordered_map<InternedString, std::size_t> nodesAt;
};

OwnedNodes ownedNodes(const Program& program, const std::vector<InternedString>& paths)
{
    OwnedNodes owned{paths, {}};
    for (std::size_t graph = 0; graph < program.graphs.size(); ++graph)
        if (const ModuleId owner = program.owners[graph])
            owned.nodesAt[program.modules[owner].path] += program.graphs[graph].size();
    return owned;
}

std::optional<std::size_t> nodesOf(const OwnedNodes& owned, InternedString path)
{
    const auto at = owned.nodesAt.find(path);
    return at == owned.nodesAt.end() ? std::nullopt : std::optional(at->second);
}

} // namespace

ModuleComparison compareModules(const Program& source, const MadeProgram& before, const MadeProgram& after)
{
    TagAssignment homesBefore = moduleAssignment(source, before.program, before.map);
    TagAssignment homesAfter = moduleAssignment(source, after.program, after.map);
    const OwnedNodes ownedBefore = ownedNodes(before.program, homesBefore.order);
    const OwnedNodes ownedAfter = ownedNodes(after.program, homesAfter.order);
    ModuleComparison out{compareAssignments(cutGraph(source), homesBefore, homesAfter)};
    const auto note = [&](InternedString path) {
        const ModuleChange change{path, nodesOf(ownedBefore, path), nodesOf(ownedAfter, path)};
        if (change.nodesBefore != change.nodesAfter)
            out.modules.push_back(change);
    };
    for (const InternedString path : ownedAfter.paths)
        note(path);
    for (const InternedString path : ownedBefore.paths)
        if (!nodesOf(ownedAfter, path))
            note(path);
    out.modulesBefore = ownedBefore.paths.size();
    out.modulesAfter = ownedAfter.paths.size();
    out.nodesBefore = before.program.nodeCount();
    out.nodesAfter = after.program.nodeCount();
    out.before = std::move(homesBefore);
    out.after = std::move(homesAfter);
    return out;
}

} // namespace sunder
