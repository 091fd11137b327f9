#include "analysis/cut/shared_values.h"

#include "analysis/cut/cut_edges.h"

#include <algorithm>

namespace sunder {
namespace {

/// Finds the parts that consume an input of the program, in ascending order without repeats.
void partsThatReadInput(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::uint32_t value,
                        std::vector<std::int32_t>& found)
{
    found.clear();
    for (const std::uint32_t reader : graph.readers[value])
        if (partOf[reader] >= 0)
            found.push_back(partOf[reader]);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
}

std::vector<SharedRead> sharedValues(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::size_t mostLines)
{
    std::vector<SharedRead> shared;
    std::vector<std::int32_t> readers;
    for (std::uint32_t value = 0; value < graph.nodes.size(); ++value) {
        const bool isInput = value >= graph.callCount;
        if (isInput)
            partsThatReadInput(graph, partOf, value, readers);
        else
            partsThatRead(graph, partOf, value, readers);
        if (readers.size() <= mostLines)
            continue;
        const std::int32_t from = isInput ? TagAssignment::kUntagged : partOf[value];
        const auto later = std::upper_bound(readers.begin(), readers.end(), from);
        if (later == readers.end())
            continue;
        shared.push_back({.node = graph.nodes[value],
                          .from = from,
                          .to = {later, readers.end()},
                          .bytes = graph.bytes[value],
                          .isKnown = graph.isUnknown[value] == 0,
                          .hasNoTensor = graph.hasNoTensor[value] != 0});
    }
    return shared;
}

/// Per value: its index in `shared`, or kNone.
std::vector<std::uint32_t> placesOf(const CutGraph& graph, const std::vector<SharedRead>& shared)
{
    std::vector<std::uint32_t> places(graph.nodes.size(), CutGraph::kNone);
    for (std::uint32_t i = 0; i < shared.size(); ++i)
        places[graph.valueOf[shared[i].node.index()]] = i;
    return places;
}

} // namespace

DrawnCut drawnCut(const CutGraph& graph, const TagAssignment& tags, const CutMetrics& metrics, std::size_t mostLines)
{
    DrawnCut drawn{.cutEdges = {}, .shared = sharedValues(graph, partsOfCalls(graph, tags), mostLines)};
    const std::vector<std::uint32_t> places = placesOf(graph, drawn.shared);
    drawn.cutEdges.reserve(metrics.cutEdges.size());
    for (const CutEdge& whole : metrics.cutEdges) {
        CutEdge rest{.from = whole.from, .to = whole.to};
        for (const CutEdgeValue& value : whole.values) {
            const std::uint32_t at = graph.valueOf[value.node.index()];
            if (places[at] != CutGraph::kNone && !whole.isBackward())
                continue;
            rest.values.push_back(value);
            rest.bytes += value.bytes;
            rest.unknown += value.isKnown ? 0 : 1;
            rest.numbers += graph.hasNoTensor[at] != 0 ? 1 : 0;
        }
        if (!rest.values.empty())
            drawn.cutEdges.push_back(std::move(rest));
    }
    return drawn;
}

} // namespace sunder
