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

std::size_t backwardEdgeCount(const CutGraph& graph, const std::vector<std::int32_t>& partOf)
{
    std::size_t count = 0;
    for (std::uint32_t call = 0; call < graph.callCount; ++call)
        for (const std::uint32_t value : graph.inputs[call])
            count += value < graph.callCount && isBackward(partOf[value], partOf[call]) ? 1 : 0;
    return count;
}

bool partsCanBeOrdered(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::size_t parts)
{
    // Kahn's algorithm. Parallel edges are counted consistently in both loops.
    const Rows calls = callsOfParts(partOf, parts);
    const auto crosses = [&](std::int32_t from, std::int32_t to) { return from >= 0 && to >= 0 && from != to; };
    std::vector<std::size_t> waitsFor(parts, 0);
    for (std::uint32_t call = 0; call < graph.callCount; ++call)
        for (const std::uint32_t value : graph.inputs[call])
            if (value < graph.callCount && crosses(partOf[value], partOf[call]))
                ++waitsFor[static_cast<std::size_t>(partOf[call])];
    std::vector<std::size_t> ready;
    for (std::size_t part = 0; part < parts; ++part)
        if (waitsFor[part] == 0)
            ready.push_back(part);
    for (std::size_t done = 0; done < ready.size(); ++done)
        for (const std::uint32_t call : calls[ready[done]])
            for (const std::uint32_t reader : graph.readers[call])
                if (crosses(partOf[call], partOf[reader]) && --waitsFor[static_cast<std::size_t>(partOf[reader])] == 0)
                    ready.push_back(static_cast<std::size_t>(partOf[reader]));
    return ready.size() == parts;
}

} // namespace sunder
