#include "analysis/cut/module_assignment.h"

namespace sunder {

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

} // namespace sunder
