#include "parts/results_by_name.h"

namespace sunder {
namespace {

RegionsFile::Region namesOf(const Graph& graph, std::span<const NodeId> nodes)
{
    RegionsFile::Region names;
    names.reserve(nodes.size());
    for (const NodeId id : nodes)
        names.push_back(graph.node(id).name);
    return names;
}

} // namespace

RegionsFile regionsByName(const Graph& graph, const RegionResult& result)
{
    RegionsFile file;
    for (const RegionGroup& group : result.groups) {
        file.groups.emplace_back();
        for (std::size_t i = 0; i < group.regionCount(); ++i)
            file.groups.back().push_back(namesOf(graph, group.region(i)));
    }
    for (const RejectedRegion& region : result.rejected)
        file.rejected.push_back({namesOf(graph, region.nodes), region.why});
    return file;
}

MovesFile movesByName(const Graph& graph, const MoveNonTensorResult& result)
{
    MovesFile file;
    for (const MovedNonTensor& move : result.moved)
        file.moved.push_back({graph[move.node].name, result.nameOf(move.from), result.nameOf(move.to)});
    for (const StayingNode& stay : result.staying)
        file.staying.push_back({graph[stay.node].name, result.nameOf(stay.subgraph), std::string(name(stay.reason)), stay.why});
    return file;
}

} // namespace sunder
