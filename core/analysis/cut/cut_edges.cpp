#include "analysis/cut/cut_edges.h"

#include <algorithm>

namespace sunder {
namespace {

struct Crossing {
    std::int32_t from;
    std::int32_t to;
    std::uint32_t value;
};

/// Stable counting sort: linear in crossings and parts.
template <typename KeyOf>
std::vector<Crossing> sortedBy(const std::vector<Crossing>& crossings, std::size_t parts, const KeyOf& keyOf)
{
    std::vector<std::size_t> next(parts + 1, 0);
    for (const Crossing& crossing : crossings)
        ++next[static_cast<std::size_t>(keyOf(crossing)) + 1];
    for (std::size_t i = 1; i < next.size(); ++i)
        next[i] += next[i - 1];
    std::vector<Crossing> sorted(crossings.size());
    for (const Crossing& crossing : crossings)
        sorted[next[static_cast<std::size_t>(keyOf(crossing))]++] = crossing;
    return sorted;
}

std::vector<Crossing> crossingsOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::size_t parts)
{
    std::vector<Crossing> crossings;
    std::vector<std::uint32_t> seen(parts, CutGraph::kNone);
    for (std::uint32_t value = 0; value < graph.callCount; ++value) {
        const std::int32_t from = partOf[value];
        if (from < 0)
            continue;
        for (const std::uint32_t reader : graph.readers[value]) {
            const std::int32_t to = partOf[reader];
            if (to < 0 || to == from || seen[static_cast<std::size_t>(to)] == value)
                continue;
            seen[static_cast<std::size_t>(to)] = value;
            crossings.push_back({from, to, value});
        }
    }
    return crossings;
}

} // namespace

std::vector<CutEdge> cutEdgesOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::size_t parts)
{
    std::vector<Crossing> crossings = crossingsOf(graph, partOf, parts);
    crossings = sortedBy(crossings, parts, [](const Crossing& c) { return c.to; });
    crossings = sortedBy(crossings, parts, [](const Crossing& c) { return c.from; });
    std::vector<CutEdge> cutEdges;
    for (const Crossing& crossing : crossings) {
        if (cutEdges.empty() || cutEdges.back().from != crossing.from || cutEdges.back().to != crossing.to)
            cutEdges.push_back({.from = crossing.from, .to = crossing.to});
        CutEdge& cutEdge = cutEdges.back();
        const bool isKnown = graph.isUnknown[crossing.value] == 0;
        cutEdge.values.push_back({graph.nodes[crossing.value], graph.bytes[crossing.value], isKnown});
        cutEdge.bytes += graph.bytes[crossing.value];
        cutEdge.unknown += isKnown ? 0 : 1;
        cutEdge.numbers += graph.hasNoTensor[crossing.value] != 0 ? 1 : 0;
    }
    return cutEdges;
}

std::uint64_t crossingBytesOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf)
{
    std::uint64_t bytes = 0;
    for (std::uint32_t value = 0; value < graph.callCount; ++value) {
        const auto readers = graph.readers[value];
        const auto crosses = [&](std::uint32_t reader) { return partOf[reader] >= 0 && partOf[reader] != partOf[value]; };
        if (partOf[value] >= 0 && std::any_of(readers.begin(), readers.end(), crosses))
            bytes += graph.bytes[value];
    }
    return bytes;
}

void partsThatRead(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::uint32_t value,
                   std::vector<std::int32_t>& found)
{
    found.clear();
    const std::int32_t from = partOf[value];
    if (from < 0)
        return;
    for (const std::uint32_t reader : graph.readers[value])
        if (const std::int32_t to = partOf[reader]; to >= 0 && to != from && (found.empty() || found.back() != to))
            found.push_back(to);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
}

} // namespace sunder
