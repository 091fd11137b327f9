#include "passes/deduplicate/region_details.h"

#include "analysis/part_for_drawing.h"
#include "passes/regions/occurrences.h"
#include "passes/regions/region_program.h"

#include <algorithm>
#include <span>

namespace sunder {
namespace {

/// Returns the subgraph node for each node of the first region.
std::vector<NodeId> placesIn(const DedupResult& dedup, GraphId subgraph, GraphId root, std::span<const NodeId> region)
{
    std::vector<NodeId> places;
    for (const NodeId id : region) {
        NodeId copy;
        for (const IdentityMap::Pair& pair : dedup.map.resultsOf({root, id}))
            if (pair.result.graph == subgraph && !pair.created)
                copy = pair.result.node;
        places.push_back(copy);
    }
    return places;
}

/// Returns the subgraph made from the group; nothing if there is none, or if it contains no node of the group.
std::optional<RegionProgram> sharedProgram(const Program& source, const RegionResult& regions, const DedupResult* dedup,
                                           std::size_t group)
{
    if (dedup == nullptr)
        return std::nullopt;
    const auto& made = dedup->subgraphs;
    const auto at = std::ranges::find_if(made, [&](const SharedSubgraph& subgraph) { return subgraph.group == group; });
    if (at == made.end())
        return std::nullopt;
    std::vector<NodeId> places = placesIn(*dedup, at->graph, source.root, regions.groups[group].region(0));
    if (std::ranges::none_of(places, [](NodeId id) { return id.isValid(); }))
        return std::nullopt;
    RegionProgram program = subgraphProgram(*dedup, *at);
    program.nodes = std::move(places);
    return program;
}

constexpr std::size_t kBeforeInputs = 2; ///< arguments of invoke_subgraph: the graph and its name

/// Returns the node that a call passes for input number `place`; invalid if the argument is no node.
NodeId passedAt(const Graph& main, NodeId call, std::size_t place)
{
    const Arguments& args = main[call].args;
    const std::size_t at = place + kBeforeInputs;
    return at < args.size() && args[at].is(ArgumentKind::node) ? args[at].asNode() : NodeId();
}

} // namespace

Result<std::shared_ptr<const RegionDetails>> regionDetails(const Program& source, const RegionOptions& options,
                                                           const RegionResult& found, const DedupResult* dedup, std::size_t group)
{
    auto details = std::make_shared<RegionDetails>();
    details->group = group;
    const RegionGroup& regions = found.groups[group];
    details->names = occurrenceNames(source, regions);
    SUNDER_TRY(std::vector<RegionBoundary> boundaries, regionBoundaries(source, options, found, group));
    details->boundaries = std::move(boundaries);
    std::optional<RegionProgram> made = sharedProgram(source, found, dedup, group);
    RegionProgram drawn = made ? std::move(*made) : regionProgram(source, regions);
    details->graph = drawn.program.root;
    details->places = std::move(drawn.nodes);
    details->shared = std::move(drawn.shared);
    details->within = drawn.within.str();
    details->program = std::make_shared<const Program>(std::move(drawn.program));
    return std::shared_ptr<const RegionDetails>(std::move(details));
}

RegionProgram subgraphProgram(const DedupResult& result, const SharedSubgraph& subgraph)
{
    RegionProgram made{.program = result.program, .nodes = {}};
    Program& program = made.program;
    const Graph& main = result.program.rootGraph();
    program.root = subgraph.graph;
    Graph& graph = program.rootGraph();
    std::span<const Argument> passed;
    if (!subgraph.calls.empty()) {
        const std::span<const Argument> args = main[subgraph.calls.front()].args;
        passed = args.subspan(std::min(kBeforeInputs, args.size()));
    }
    program.signature = liftedSignature(result.program, passed, graph);
    std::size_t place = 0;
    std::vector<NodeId> ops;
    for (const NodeId id : graph.order()) {
        if (graph[id].isCall())
            ops.push_back(id);
        if (graph[id].op != Op::placeholder)
            continue;
        const std::size_t at = place++;
        if (at >= passed.size() || !passed[at].is(ArgumentKind::node))
            continue;
        graph.meta(id).trace = main[passed[at].asNode()].meta.trace;
        const auto isSame = [&](NodeId call) { return passedAt(main, call, at) == passed[at].asNode(); };
        if (subgraph.calls.size() > 1 && std::ranges::all_of(subgraph.calls, isSame))
            made.shared.push_back(id);
    }
    made.within = enclosingModule(program, ops);
    return made;
}

} // namespace sunder
