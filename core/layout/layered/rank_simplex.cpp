#include "layout/layered/rank_simplex.h"

#include <algorithm>
#include <cstdint>

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
    std::vector<Index> m_upArc; ///< per box: the tree arc towards the root
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

} // namespace sunder::layered
