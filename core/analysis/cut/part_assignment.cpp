#include "analysis/cut/part_assignment.h"

#include <unordered_map>

namespace sunder {

TagAssignment partAssignment(const Program& source, const Program& split, const IdentityMap& map)
{
    TagAssignment tags;
    tags.tagOf.assign(source.rootGraph().idBound(), TagAssignment::kUntagged);
    std::unordered_map<GraphId, std::int32_t> partOfGraph;
    const Graph& main = split.rootGraph();
    for (const NodeId id : main.nodes()) {
        if (main[id].op != Op::callModule)
            continue;
        const ModuleId part = split.modules.resolve(main[id].target.view());
        if (!part || !split.modules[part].graph)
            continue;
        if (partOfGraph.emplace(split.modules[part].graph, static_cast<std::int32_t>(tags.order.size())).second)
            tags.order.push_back(main[id].target);
    }
    for (const IdentityMap::Pair& pair : map.pairs()) {
        if (pair.created || pair.source.graph != source.root || !source.node(pair.source).isCall())
            continue;
        std::int32_t& tag = tags.tagOf[pair.source.node.index()];
        if (const auto found = partOfGraph.find(pair.result.graph); found != partOfGraph.end() && tag == TagAssignment::kUntagged)
            tag = found->second;
    }
    return tags;
}

} // namespace sunder
