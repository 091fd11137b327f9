#include "layout/layered/coordinate_y.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::layered {
namespace {

constexpr double kSlope = 0.08;      ///< minimum space below a rank, per horizontal length of an edge in it
constexpr double kMaxRoom = 3;      ///< maximum of that space, in multiples of rankGap
constexpr double kMuchTaller = 2.5;  ///< in a rank that is taller than a box by this factor, the box is not centered

/// Returns the longest horizontal distance of an edge below each rank.
std::vector<double> longestShifts(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x,
                                  const Ports& ports)
{
    std::vector<double> shift(layering.rankCount(), 0);
    const auto note = [&](Index rank, double from, double to) { shift[rank] = std::max(shift[rank], std::abs(from - to)); };
    for (Index a = 0; a < graph.arcs.size(); ++a) {
        const Arc& arc = graph.arcs[a];
        const Index upper = layering.rankOf[arc.from];
        const Index lower = layering.rankOf[arc.to];
        for (Index e = ports.firstEdge[a]; e < ports.firstEdge[a + 1]; ++e) {
            if (lower == upper + 1)
                note(upper, ports.leave[e], ports.arrive[e]);
            else if (!layering.isDetour[a]) {
                note(upper, ports.leave[e], x[layering.laneOfBox[arc.from]]);
                note(lower - 1, x[layering.laneVertex(arc.from, lower - 1)], ports.arrive[e]);
            }
        }
    }
    return shift;
}

} // namespace

Bands placeDown(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x, const Ports& ports,
                const LayoutOptions& options)
{
    const std::vector<double> shift = longestShifts(graph, layering, x, ports);
    std::vector<double> height(layering.rankCount(), 0);
    for (Index box = 0; box < layering.boxCount; ++box) {
        double& tallest = height[layering.rankOf[box]];
        tallest = std::max(tallest, double{graph.boxes[box].size.height});
    }
    Bands bands;
    double y = 0;
    for (Index r = 0; r < layering.rankCount(); ++r) {
        bands.top.push_back(y);
        bands.bottom.push_back(y + height[r]);
        const double gap = double{options.rankGap};
        y += height[r] + std::floor(std::clamp(shift[r] * kSlope, gap, gap * kMaxRoom) + 0.5);
    }
    bands.boxTop.resize(layering.boxCount);
    for (Index box = 0; box < layering.boxCount; ++box) {
        const Index r = layering.rankOf[box];
        const double room = height[r] - double{graph.boxes[box].size.height};
        double share = 0.5;
        if (height[r] > kMuchTaller * double{graph.boxes[box].size.height})
            share = graph.inStart[box] == graph.inStart[box + 1] ? 1 : 0;
        bands.boxTop[box] = bands.top[r] + std::floor(room * share);
    }
    return bands;
}

namespace {

constexpr double kPortGap = 12;
constexpr double kCorner = 12;      ///< kept free of ports at both ends of a border
constexpr double kFarReach = 0.85;  ///< share of the half border for edges to distant ends
constexpr int kPortRounds = 3;          ///< rounds in which borders adapt to each other

/// A port candidate on a border: an edge, or a lane for all its edges.
struct Lead {
    double order;      ///< sort key: position of the other end
    Index edge;        ///< the first edge of the lead
    double wish;
    bool isStraight;
};

/// Replaces values by the nearest nondecreasing ones in weighted least squares (pool adjacent violators).
void makeNondecreasing(std::vector<double>& values, const std::vector<double>& weights)
{
    struct Pool {
        double mean;
        double weight;
        std::size_t count;
    };
    std::vector<Pool> pools;
    for (std::size_t i = 0; i < values.size(); ++i) {
        Pool pool{values[i], weights[i], 1};
        while (!pools.empty() && pools.back().mean > pool.mean) {
            const Pool& last = pools.back();
            const double weight = last.weight + pool.weight;
            pool = {(last.mean * last.weight + pool.mean * pool.weight) / weight, weight, last.count + pool.count};
            pools.pop_back();
        }
        pools.push_back(pool);
    }
    std::size_t i = 0;
    for (const Pool& pool : pools) {
        for (std::size_t k = 0; k < pool.count; ++k)
            values[i++] = pool.mean;
    }
}

class PortSpreader {
public:
    PortSpreader(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x)
        : m_graph(graph), m_layering(layering), m_x(x)
    {
        Index edges = 0;
        for (const Arc& arc : graph.arcs) {
            m_ports.firstEdge.push_back(edges);
            edges += arc.edges;
        }
        m_ports.firstEdge.push_back(edges);
        m_ports.leave.resize(edges);
        m_ports.arrive.resize(edges);
        for (Index a = 0; a < graph.arcs.size(); ++a) {
            for (Index e = m_ports.firstEdge[a]; e < m_ports.firstEdge[a + 1]; ++e) {
                m_ports.leave[e] = x[graph.arcs[a].from];
                m_ports.arrive[e] = x[graph.arcs[a].to];
            }
        }
    }

    Result<Ports> spread(ProgressMonitor& monitor)
    {
        for (int round = 0; round < kPortRounds; ++round) {
            SUNDER_PROPAGATE(monitor.check());
            for (Index box = 0; box < m_graph.boxes.size(); ++box)
                spreadLower(box);
            SUNDER_PROPAGATE(monitor.check());
            for (Index box = 0; box < m_graph.boxes.size(); ++box)
                spreadUpper(box);
        }
        return std::move(m_ports);
    }

private:
    [[nodiscard]] bool isShort(Index arc) const
    {
        const Arc& a = m_graph.arcs[arc];
        return m_layering.rankOf[a.to] == m_layering.rankOf[a.from] + 1;
    }

    [[nodiscard]] bool isStraight(Index arc, Index other, Index box) const
    {
        return m_graph.arcs[arc].edges == 1 && std::abs(m_x[other] - m_x[box]) < 0.5;
    }

    void spreadLower(Index box)
    {
        m_leads.clear();
        bool hasLane = false;
        for (Index a = m_graph.outStart[box]; a < m_graph.outStart[box + 1]; ++a) {
            const Index to = m_graph.arcs[a].to;
            for (Index e = m_ports.firstEdge[a]; e < m_ports.firstEdge[a + 1]; ++e) {
                if (isShort(a))
                    m_leads.push_back({double(m_layering.position[to]), e, m_ports.arrive[e], isStraight(a, to, box)});
                else if (m_layering.isDetour[a])
                    m_leads.push_back({kFarRight, e, kFarRight, false});
                else if (!std::exchange(hasLane, true)) {
                    const Index lane = m_layering.laneOfBox[box];
                    m_leads.push_back({double(m_layering.position[lane]), e, m_x[lane], std::abs(m_x[lane] - m_x[box]) < 0.5});
                }
            }
        }
        settle(box);
        double lanePort = 0;
        for (const Lead& lead : m_leads) {
            m_ports.leave[lead.edge] = lead.wish;
            lanePort = isLaneEdge(box, lead.edge) ? lead.wish : lanePort;
        }
        for (Index a = m_graph.outStart[box]; hasLane && a < m_graph.outStart[box + 1]; ++a) {
            for (Index e = m_ports.firstEdge[a]; !isShort(a) && e < m_ports.firstEdge[a + 1]; ++e)
                m_ports.leave[e] = lanePort;
        }
    }

    /// True if this edge of a lead of `box` is long and has a lane.
    [[nodiscard]] bool isLaneEdge(Index box, Index edge) const
    {
        if (m_layering.laneOfBox[box] == kNone)
            return false;
        const auto arc = std::upper_bound(m_ports.firstEdge.begin() + m_graph.outStart[box],
                                          m_ports.firstEdge.begin() + m_graph.outStart[box + 1], edge);
        return !isShort(static_cast<Index>(arc - m_ports.firstEdge.begin() - 1));
    }

    void spreadUpper(Index box)
    {
        m_leads.clear();
        for (Index i = m_graph.inStart[box]; i < m_graph.inStart[box + 1]; ++i) {
            const Index a = m_graph.inArcs[i];
            Index other = m_graph.arcs[a].from;
            if (!isShort(a) && !m_layering.isDetour[a])
                other = m_layering.laneVertex(other, m_layering.rankOf[box] - 1);
            for (Index e = m_ports.firstEdge[a]; e < m_ports.firstEdge[a + 1]; ++e) {
                if (m_layering.isDetour[a])
                    m_leads.push_back({kFarRight, e, kFarRight, false});
                else
                    m_leads.push_back({double(m_layering.position[other]), e,
                                       m_layering.isDummy(other) ? m_x[other] : m_ports.leave[e], isStraight(a, other, box)});
            }
        }
        settle(box);
        for (const Lead& lead : m_leads)
            m_ports.arrive[lead.edge] = lead.wish;
    }

    /// Converts the wishes of m_leads into positions on the border of `box`.
    void settle(Index box)
    {
        std::stable_sort(m_leads.begin(), m_leads.end(), [](const Lead& a, const Lead& b) { return a.order < b.order; });
        const double center = m_x[box];
        const double half = double{m_graph.boxes[box].size.width} / 2;
        const double reach = std::max(half - kCorner, half / 2);
        std::size_t straight = m_leads.size();
        for (std::size_t i = 0; i < m_leads.size(); ++i) {
            if (m_leads[i].isStraight)
                straight = i;
        }
        double gap = kPortGap;
        if (straight < m_leads.size()) {
            const auto most = static_cast<double>(std::max(straight, m_leads.size() - 1 - straight));
            gap = most > 0 ? std::min(gap, reach / most) : gap;
        } else if (m_leads.size() > 1)
            gap = std::min(gap, 2 * reach / static_cast<double>(m_leads.size() - 1));
        m_values.clear();
        m_weights.clear();
        for (std::size_t i = 0; i < m_leads.size(); ++i) {
            double off = m_leads[i].wish - center;
            if (std::abs(off) > reach)
                off = std::copysign(reach * kFarReach, off);
            m_values.push_back((i == straight ? 0 : off) - gap * static_cast<double>(i));
            m_weights.push_back(i == straight ? 1e6 : 1);
        }
        makeNondecreasing(m_values, m_weights);
        // Clamping keeps the gaps: the minimum leaves room for the following leads, the maximum for the preceding ones.
        const double last = static_cast<double>(m_leads.size()) - 1;
        for (std::size_t i = 0; i < m_leads.size(); ++i) {
            const double value = std::clamp(m_values[i], -reach, std::max(-reach, reach - gap * last));
            m_leads[i].wish = center + value + gap * static_cast<double>(i);
        }
        if (straight < m_leads.size())
            m_leads[straight].wish = center;
    }

    static constexpr double kFarRight = 1e9;
    const FlowGraph& m_graph;
    const Layering& m_layering;
    const std::vector<double>& m_x;
    Ports m_ports;
    std::vector<Lead> m_leads;
    std::vector<double> m_values;
    std::vector<double> m_weights;
};

} // namespace

Result<Ports> spreadPorts(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x,
                          ProgressMonitor& monitor)
{
    return PortSpreader(graph, layering, x).spread(monitor);
}

} // namespace sunder::layered
