#include "layout/layered/layered_lanes.h"

#include <algorithm>
#include <numeric>

namespace sunder::layered {

namespace {

constexpr std::uint64_t kFreeDummies = 60'000;
constexpr std::uint64_t kDummiesPerBox = 3;

/// Returns the number of dummies that the lane of each box needs, 0 if all its arcs are short.
std::vector<Index> laneLengths(const FlowGraph& graph, const std::vector<Index>& rank)
{
    std::vector<Index> length(graph.boxes.size(), 0);
    for (const Arc& arc : graph.arcs)
        length[arc.from] = std::max(length[arc.from], rank[arc.to] - rank[arc.from] - 1);
    return length;
}

/// Sets the length of lanes beyond the budget to 0.
void refuseLongLanes(std::vector<Index>& length)
{
    std::vector<Index> boxes;
    std::uint64_t total = 0;
    for (Index box = 0; box < length.size(); ++box) {
        total += length[box];
        if (length[box] > 0)
            boxes.push_back(box);
    }
    const std::uint64_t budget = kFreeDummies + kDummiesPerBox * length.size();
    if (total <= budget)
        return;
    std::stable_sort(boxes.begin(), boxes.end(), [&](Index a, Index b) { return length[a] < length[b]; });
    std::uint64_t used = 0;
    for (const Index box : boxes) {
        used += length[box];
        if (used > budget)
            length[box] = 0;
    }
}

void addSegments(Layering& layering, const FlowGraph& graph, const std::vector<Index>& length)
{
    for (Index box = 0; box < layering.boxCount; ++box) {
        float longWeight = 0;
        for (Index a = graph.outStart[box]; a < graph.outStart[box + 1]; ++a) {
            const Arc& arc = graph.arcs[a];
            const Index rank = layering.rankOf[arc.to];
            if (rank == layering.rankOf[box] + 1)
                layering.segments.push_back({box, arc.to, arc.weight});
            else if (layering.laneOfBox[box] == kNone)
                layering.isDetour[a] = true;
            else {
                layering.segments.push_back({layering.laneVertex(box, rank - 1), arc.to, arc.weight});
                longWeight += arc.weight;
            }
        }
        if (layering.laneOfBox[box] == kNone)
            continue;
        layering.segments.push_back({box, layering.laneOfBox[box], longWeight});
        for (Index i = 1; i < length[box]; ++i)
            layering.segments.push_back({layering.laneOfBox[box] + i - 1, layering.laneOfBox[box] + i, longWeight});
    }
}

void indexSegments(Layering& layering)
{
    std::sort(layering.segments.begin(), layering.segments.end(),
              [](const Segment& a, const Segment& b) { return a.upper != b.upper ? a.upper < b.upper : a.lower < b.lower; });
    const Index count = layering.vertexCount();
    layering.downStart.assign(count + 1, 0);
    layering.upStart.assign(count + 1, 0);
    for (const Segment& s : layering.segments) {
        ++layering.downStart[s.upper + 1];
        ++layering.upStart[s.lower + 1];
    }
    std::partial_sum(layering.downStart.begin(), layering.downStart.end(), layering.downStart.begin());
    std::partial_sum(layering.upStart.begin(), layering.upStart.end(), layering.upStart.begin());
    std::vector<Index> next(layering.upStart.begin(), layering.upStart.end() - 1);
    layering.upSegments.resize(layering.segments.size());
    for (Index s = 0; s < layering.segments.size(); ++s)
        layering.upSegments[next[layering.segments[s].lower]++] = s;
}

void fillRanks(Layering& layering)
{
    Index last = 0;
    for (const Index r : layering.rankOf)
        last = std::max(last, r);
    layering.rankStart.assign(last + 2, 0);
    for (const Index r : layering.rankOf)
        ++layering.rankStart[r + 1];
    std::partial_sum(layering.rankStart.begin(), layering.rankStart.end(), layering.rankStart.begin());
    std::vector<Index> next(layering.rankStart.begin(), layering.rankStart.end() - 1);
    layering.order.resize(layering.vertexCount());
    for (Index v = 0; v < layering.vertexCount(); ++v)
        layering.order[next[layering.rankOf[v]]++] = v;
    layering.position.resize(layering.vertexCount());
    indexPositions(layering);
}

} // namespace

void indexPositions(Layering& layering)
{
    for (Index r = 0; r < layering.rankCount(); ++r) {
        for (Index i = layering.rankStart[r]; i < layering.rankStart[r + 1]; ++i)
            layering.position[layering.order[i]] = i - layering.rankStart[r];
    }
}

Layering makeLanes(const FlowGraph& graph, const std::vector<Index>& ranks)
{
    Layering layering;
    layering.boxCount = static_cast<Index>(graph.boxes.size());
    layering.rankOf = ranks;
    layering.laneOfBox.assign(graph.boxes.size(), kNone);
    layering.isDetour.assign(graph.arcs.size(), false);
    std::vector<Index> length = laneLengths(graph, ranks);
    refuseLongLanes(length);
    for (Index box = 0; box < layering.boxCount; ++box) {
        if (length[box] == 0)
            continue;
        layering.laneOfBox[box] = layering.vertexCount();
        for (Index i = 1; i <= length[box]; ++i)
            layering.rankOf.push_back(ranks[box] + i);
    }
    addSegments(layering, graph, length);
    indexSegments(layering);
    fillRanks(layering);
    return layering;
}

} // namespace sunder::layered
