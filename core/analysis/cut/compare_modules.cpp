// Compares two module hierarchies of one flat program. Modules are identified by path: a call has moved if its copy is in the
// graph of a module with another path. Modules whose graph size differs, and modules in only one tree, are listed as well,
// because a signature can change without moving a call.

#include "analysis/cut/compare_modules.h"

#include "analysis/tag_assignment.h"
#include "ir/identity_map.h"

#include <unordered_map>

namespace sunder {
namespace {

/// Returns the module of each source call in a result. `order` holds the paths of the modules that own a graph, in tree order (""
/// is the root). A call belongs to the module whose graph has its copy (the first of several). Calls without a copy, and calls in
/// graphs without an owner, are in none. O(nodes + modules + pairs).
TagAssignment moduleAssignment(const Program& source, const Program& result, const IdentityMap& map)
{
    TagAssignment modules;
    std::vector<std::int32_t> placeOf(result.modules.size(), TagAssignment::kUntagged);
    std::vector<char> ownsGraph(result.modules.size(), 0);
    for (const ModuleId owner : result.owners)
        if (owner)
            ownsGraph[owner.index()] = 1;
    for (const ModuleId id : result.modules.depthFirst())
        if (ownsGraph[id.index()] != 0) {
            placeOf[id.index()] = static_cast<std::int32_t>(modules.order.size());
            modules.order.push_back(result.modules[id].path);
        }
    modules.tagOf.assign(source.rootGraph().idBound(), TagAssignment::kUntagged);
    for (const IdentityMap::Pair& pair : map.pairs()) {
        const ModuleId owner = result.owners[pair.result.graph.index()];
        std::int32_t& place = modules.tagOf[pair.source.node.index()];
        if (pair.source.graph == source.root && !pair.created && owner && place < 0)
            place = placeOf[owner.index()];
    }
    return modules;
}

struct OwnedNodes {
    std::vector<InternedString> paths; ///< of modules with a graph, in tree order
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
