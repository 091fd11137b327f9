#include "layout/layered/rank.h"

#include "support/disjoint_sets.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace sunder::layered {

namespace {

constexpr std::size_t kMaxBoxes = 4'000;
constexpr std::uint64_t kMaxWork = 30'000'000; ///< maximum number of visited boxes and arcs
constexpr double kNegative = -1e-6;
constexpr double kWorth = 0.95;

class NetworkSimplex {
public:
    NetworkSimplex(const FlowGraph& graph, const std::vector<Index>& rank)
        : m_graph(graph), m_rank(rank.begin(), rank.end()), m_excess(graph.boxes.size(), 0), m_tree(graph.boxes.size()),
          m_step(graph.boxes.size() + graph.arcs.size())
    {
        for (const Arc& arc : graph.arcs) {
            m_excess[arc.from] += double{arc.weight};
            m_excess[arc.to] -= double{arc.weight};
        }
    }

    std::vector<Index> run()
    {
        if (growTree()) {
            std::size_t idle = 0;
            while (m_work < kMaxWork && idle < m_graph.boxes.size()) {
                const Index leaving = worstArc();
                if (leaving == kNone)
                    break;
                idle = pivot(leaving) > 0 ? 0 : idle + 1;
            }
        }
        const std::int64_t first = *std::min_element(m_rank.begin(), m_rank.end());
        std::vector<Index> rank;
        rank.reserve(m_rank.size());
        for (const std::int64_t r : m_rank)
            rank.push_back(static_cast<Index>(r - first));
        return rank;
    }

private:
    [[nodiscard]] std::int64_t slack(const Arc& arc) const { return m_rank[arc.to] - m_rank[arc.from] - 1; }

    /// Builds a spanning tree of arcs without slack. False if the work limit is exceeded.
    bool growTree()
    {
        std::vector<bool> isIn(m_graph.boxes.size(), false);
        std::vector<Index> reached{0};
        isIn[0] = true;
        const auto reach = [&](Index box, Index arc) {
            isIn[box] = true;
            reached.push_back(box);
            m_tree[m_graph.arcs[arc].from].push_back(arc);
            m_tree[m_graph.arcs[arc].to].push_back(arc);
        };
        for (std::size_t next = 0; reached.size() < m_graph.boxes.size(); m_work += m_step) {
            for (; next < reached.size(); ++next) {
                const Index box = reached[next];
                for (Index a = m_graph.outStart[box]; a < m_graph.outStart[box + 1]; ++a)
                    if (!isIn[m_graph.arcs[a].to] && slack(m_graph.arcs[a]) == 0)
                        reach(m_graph.arcs[a].to, a);
                for (Index i = m_graph.inStart[box]; i < m_graph.inStart[box + 1]; ++i)
                    if (const Index a = m_graph.inArcs[i]; !isIn[m_graph.arcs[a].from] && slack(m_graph.arcs[a]) == 0)
                        reach(m_graph.arcs[a].from, a);
            }
            if (reached.size() == m_graph.boxes.size())
                break;
            Index nearest = kNone;
            for (Index a = 0; a < m_graph.arcs.size(); ++a) {
                const Arc& arc = m_graph.arcs[a];
                if (isIn[arc.from] != isIn[arc.to] && (nearest == kNone || slack(arc) < slack(m_graph.arcs[nearest])))
                    nearest = a;
            }
            if (nearest == kNone || m_work > kMaxWork)
                return false;
            const Arc& arc = m_graph.arcs[nearest];
            const std::int64_t by = isIn[arc.from] ? slack(arc) : -slack(arc);
            for (const Index box : reached)
                m_rank[box] += by;
            reach(isIn[arc.from] ? arc.to : arc.from, nearest);
        }
        return true;
    }

    /// Numbers the boxes in preorder, so that each subtree is a range. Returns the tree arc with the most negative cut value, or
    /// kNone.
    Index worstArc()
    {
        m_work += m_step;
        m_preorder.clear();
        m_number.assign(m_graph.boxes.size(), kNone);
        m_upArc.assign(m_graph.boxes.size(), kNone);
        std::vector<Index> stack{0};
        while (!stack.empty()) {
            const Index box = stack.back();
            stack.pop_back();
            m_number[box] = static_cast<Index>(m_preorder.size());
            m_preorder.push_back(box);
            for (const Index a : m_tree[box]) {
                if (a == m_upArc[box])
                    continue;
                const Index other = otherEnd(a, box);
                m_upArc[other] = a;
                stack.push_back(other);
            }
        }
        std::vector<double> excess = m_excess;
        m_size.assign(m_graph.boxes.size(), 1);
        Index worst = kNone;
        double least = kNegative;
        for (std::size_t i = m_preorder.size(); i-- > 1;) {
            const Index box = m_preorder[i];
            const Index up = m_upArc[box];
            const Index parent = otherEnd(up, box);
            excess[parent] += excess[box];
            m_size[parent] += m_size[box];
            const double cut = m_graph.arcs[up].from == box ? excess[box] : -excess[box];
            if (cut < least) {
                least = cut;
                worst = up;
            }
        }
        return worst;
    }

    /// Replaces a tree arc, which becomes longer, by the arc with the least slack that reconnects both sides. Returns the shift
    /// in ranks.
    std::int64_t pivot(Index leaving)
    {
        const Arc& old = m_graph.arcs[leaving];
        const Index below = m_upArc[old.from] == leaving ? old.from : old.to;
        const bool movesUp = below == old.from;
        const Index first = m_number[below];
        const Index last = first + m_size[below];
        const auto isBelow = [&](Index box) { return m_number[box] >= first && m_number[box] < last; };
        Index entering = kNone;
        for (Index a = 0; a < m_graph.arcs.size(); ++a) {
            const Arc& arc = m_graph.arcs[a];
            const bool holds = isBelow(movesUp ? arc.to : arc.from) && !isBelow(movesUp ? arc.from : arc.to);
            if (holds && (entering == kNone || slack(arc) < slack(m_graph.arcs[entering])))
                entering = a;
        }
        const std::int64_t by = slack(m_graph.arcs[entering]);
        for (Index i = first; i < last; ++i)
            m_rank[m_preorder[i]] += movesUp ? -by : by;
        std::erase(m_tree[old.from], leaving);
        std::erase(m_tree[old.to], leaving);
        m_tree[m_graph.arcs[entering].from].push_back(entering);
        m_tree[m_graph.arcs[entering].to].push_back(entering);
        return by;
    }

    [[nodiscard]] Index otherEnd(Index arc, Index box) const
    {
        return m_graph.arcs[arc].from == box ? m_graph.arcs[arc].to : m_graph.arcs[arc].from;
    }

    const FlowGraph& m_graph;
    std::vector<std::int64_t> m_rank;
    std::vector<double> m_excess; ///< per box: outgoing minus incoming weight
    std::vector<std::vector<Index>> m_tree; ///< per box: its tree arcs
    std::uint64_t m_step;
    std::uint64_t m_work = 0;
    std::vector<Index> m_preorder;
    std::vector<Index> m_number; ///< per box: index in m_preorder
    std::vector<Index> m_upArc; ///< per box: the tree arc toward the root
    std::vector<Index> m_size; ///< per box: size of its subtree
};

double lengthOf(const FlowGraph& graph, const std::vector<Index>& rank)
{
    double length = 0;
    for (const Arc& arc : graph.arcs)
        length += double{arc.weight} * (rank[arc.to] - rank[arc.from]);
    return length;
}

} // namespace

void shortenArcs(const FlowGraph& graph, std::vector<Index>& rank)
{
    if (graph.arcs.size() <= graph.boxes.size() || graph.boxes.size() > kMaxBoxes) // a tree is already short
        return;
    std::vector<Index> shorter = NetworkSimplex(graph, rank).run();
    if (lengthOf(graph, shorter) < kWorth * lengthOf(graph, rank))
        rank = std::move(shorter);
}

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

constexpr Index kFarAway = 9; ///< minimum distance in ranks for moving a loose box
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
    const Parts parts = connectedParts(graph);
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
