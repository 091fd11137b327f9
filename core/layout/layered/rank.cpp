#include "layout/layered/rank.h"

#include "layout/layered/rank_simplex.h"

#include <algorithm>
#include <numeric>

namespace sunder::layered {

namespace {

constexpr int kPasses = 12;

std::vector<Index> longestPathRanks(const FlowGraph& graph)
{
    std::vector<Index> rank(graph.boxes.size(), 0);
    for (const Index box : graph.topological) {
        for (Index a = graph.outStart[box]; a < graph.outStart[box + 1]; ++a)
            rank[graph.arcs[a].to] = std::max(rank[graph.arcs[a].to], rank[box] + 1);
    }
    return rank;
}

constexpr Index kFarAway = 9;     ///< minimum distance in ranks for moving a loose box
constexpr Index kManyReaders = 3; ///< a value with more consumers gets a lane regardless of its length

bool isReadByMany(const FlowGraph& graph, Index box)
{
    return graph.outStart[box + 1] - graph.outStart[box] > kManyReaders;
}

/// Finds boxes whose inputs come only from values with many consumers, directly or through other such boxes. Chains from such a
/// value to one of its consumers belong next to that consumer.
std::vector<bool> looseBoxes(const FlowGraph& graph)
{
    std::vector<bool> isLoose(graph.boxes.size(), true);
    for (const Index box : graph.topological) {
        for (Index i = graph.inStart[box]; i < graph.inStart[box + 1]; ++i) {
            const Index from = graph.arcs[graph.inArcs[i]].from;
            if (!isLoose[from] && !isReadByMany(graph, from))
                isLoose[box] = false;
        }
        // Values with many consumers stay in place, and so do sources, because everything they feed pulls them.
        if (isReadByMany(graph, box) || graph.inStart[box] == graph.inStart[box + 1])
            isLoose[box] = false;
    }
    return isLoose;
}

/// Moves boxes down one by one if that shortens more weight than it lengthens. Loose boxes far from their consumers also move in
/// case of a tie. Close boxes stay, so that parallel branches begin side by side.
bool pullBoxesDown(const FlowGraph& graph, const std::vector<bool>& isLoose, std::vector<Index>& rank)
{
    bool moved = false;
    for (auto it = graph.topological.rbegin(); it != graph.topological.rend(); ++it) {
        const Index box = *it;
        float out = 0;
        Index lowest = kNone;
        for (Index a = graph.outStart[box]; a < graph.outStart[box + 1]; ++a) {
            out += graph.arcs[a].weight;
            lowest = std::min(lowest, rank[graph.arcs[a].to] - 1);
        }
        float in = 0;
        float inOfFew = 0;
        for (Index i = graph.inStart[box]; i < graph.inStart[box + 1]; ++i) {
            const Arc& arc = graph.arcs[graph.inArcs[i]];
            in += arc.weight;
            inOfFew += isReadByMany(graph, arc.from) ? 0 : arc.weight;
        }
        if (lowest == kNone || lowest <= rank[box])
            continue;
        const bool isFarAway = lowest - rank[box] >= kFarAway;
        if (out > in || (isLoose[box] && isFarAway && out >= inOfFew)) {
            rank[box] = lowest;
            moved = true;
        }
    }
    return moved;
}
/// Moves groups of boxes connected by arcs of length 1 down if that shortens more weight than it lengthens. All groups can move
/// at once: if a lower group moves too, the arcs to it only gain slack.
bool pullGroupsDown(const FlowGraph& graph, std::vector<Index>& rank)
{
    struct Group {
        double pull = 0;
        Index slack = kNone;
    };
    std::vector<Index> parent(graph.boxes.size());
    std::iota(parent.begin(), parent.end(), Index{0});
    for (const Arc& arc : graph.arcs) {
        if (rank[arc.to] - rank[arc.from] == 1)
            parent[rootOf(parent, arc.from)] = rootOf(parent, arc.to);
    }
    std::vector<Group> groups(graph.boxes.size());
    for (const Arc& arc : graph.arcs) {
        const Index from = rootOf(parent, arc.from);
        const Index to = rootOf(parent, arc.to);
        if (from == to)
            continue;
        groups[from].pull += arc.weight;
        groups[from].slack = std::min(groups[from].slack, rank[arc.to] - rank[arc.from] - 1);
        groups[to].pull -= arc.weight;
    }
    bool moved = false;
    for (Index box = 0; box < graph.boxes.size(); ++box) {
        const Group& group = groups[rootOf(parent, box)];
        if (group.pull > 0 && group.slack != kNone && group.slack > 0) {
            rank[box] += group.slack;
            moved = true;
        }
    }
    return moved;
}

} // namespace

void closeGaps(std::vector<Index>& rank)
{
    Index last = 0;
    for (const Index r : rank)
        last = std::max(last, r);
    std::vector<Index> renamed(last + 1, 0);
    for (const Index r : rank)
        renamed[r] = 1;
    Index used = 0;
    for (Index& r : renamed) {
        const bool isUsed = r != 0;
        r = used;
        used += isUsed ? 1 : 0;
    }
    for (Index& r : rank)
        r = renamed[r];
}

std::vector<Index> assignRanks(const FlowGraph& graph)
{
    std::vector<Index> rank = longestPathRanks(graph);
    const std::vector<bool> isLoose = looseBoxes(graph);
    for (int pass = 0; pass < kPasses; ++pass) {
        const bool boxesMoved = pullBoxesDown(graph, isLoose, rank);
        const bool groupsMoved = pullGroupsDown(graph, rank);
        if (!boxesMoved && !groupsMoved)
            break;
    }
    shortenArcs(graph, rank);
    closeGaps(rank);
    return rank;
}

RankFigures measureRanks(const BoxGraph& graph)
{
    const Parts parts = takeApart(graph);
    RankFigures figures{.boxes = graph.boxes.size()};
    for (const FlowGraph& part : parts.graphs) {
        const std::vector<Index> rank = assignRanks(part);
        for (const Arc& arc : part.arcs)
            figures.dummies += (rank[arc.to] - rank[arc.from] - 1) * std::uint64_t{arc.edges};
        for (Index box = 0; box < part.boxes.size(); ++box) {
            const Index fan = std::max(part.outStart[box + 1] - part.outStart[box], part.inStart[box + 1] - part.inStart[box]);
            figures.fan = std::max<std::uint64_t>(figures.fan, fan);
        }
    }
    return figures;
}

} // namespace sunder::layered
