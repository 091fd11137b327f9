#include "layout/compose/compose_plan.h"

#include <algorithm>
#include <cmath>

namespace sunder::compose {
namespace {

constexpr float kSame = 0.25F;
constexpr float kBend = 24; ///< height of a bend at the end of a straight line

bool isSame(float a, float b)
{
    return std::fabs(a - b) < kSame;
}

} // namespace

void moveEnd(BezierPath& path, float x)
{
    if (path.size() < 4 || isSame(path.back().x, x))
        return;
    const std::size_t n = path.size();
    const Point start = path[n - 4];
    const Point end{x, path[n - 1].y};
    const bool isStraight = isSame(start.x, path[n - 1].x) && isSame(path[n - 3].x, start.x) && isSame(path[n - 2].x, start.x);
    // Places a widened bend in the gap between ranks, where there is room. Farther along the path there may be boxes.
    const bool getsWider = std::fabs(x - start.x) > std::fabs(path[n - 1].x - start.x);
    if (!isStraight && !getsWider) {
        path[n - 2].x = x;
        path[n - 1].x = x;
        return;
    }
    path.resize(n - 3);
    const float length = end.y - start.y;
    const float bend = std::copysign(std::min(std::fabs(length), kBend), length);
    if (!isSame(bend, length)) {
        const float third = (length - bend) / 3;
        path.push_back({start.x, start.y + third});
        path.push_back({start.x, start.y + 2 * third});
        path.push_back({start.x, start.y + 3 * third});
    }
    path.push_back({start.x, end.y - bend / 2});
    path.push_back({x, end.y - bend / 2});
    path.push_back(end);
}

void moveStart(BezierPath& path, float x)
{
    std::reverse(path.begin(), path.end());
    moveEnd(path, x);
    std::reverse(path.begin(), path.end());
}

void append(BezierPath& path, const BezierPath& next, Point offset)
{
    if (next.empty())
        return;
    const Point start{next.front().x + offset.x, next.front().y + offset.y};
    if (path.empty()) {
        path.push_back(start);
    } else if (!isSame(path.back().x, start.x) || !isSame(path.back().y, start.y)) {
        const Point end = path.back();
        const Point third{(start.x - end.x) / 3, (start.y - end.y) / 3};
        path.push_back({end.x + third.x, end.y + third.y});
        path.push_back({start.x - third.x, start.y - third.y});
        path.push_back(start);
    }
    for (std::size_t i = 1; i < next.size(); ++i)
        path.push_back({next[i].x + offset.x, next[i].y + offset.y});
}

namespace {

constexpr float kMainPathWeight = 10;
constexpr double kStep = 1e-9; ///< makes the longer of two equal chains win
constexpr float kHoldWeight = 0.01F; ///< of edges that only keep ports at the top or bottom

class Planner {
public:
    Planner(const std::vector<ChildBox>& children, std::span<const Link> links) : m_children(children), m_links(links) {}

    BodyPlan run()
    {
        addBoxes();
        for (const Link& link : m_links)
            m_plan.graph.edges.push_back({boxOfFrom(link), boxOfTo(link), 1});
        sortIn();
        weighMainPath();
        holdEntries();
        holdExits();
        return std::move(m_plan);
    }

private:
    [[nodiscard]] bool hasEntries() const { return !m_plan.entryPorts.empty(); }

    void addBoxes()
    {
        for (const Link& link : m_links) { // sorted by producer
            if (link.from == kNone && (m_plan.entryPorts.empty() || m_plan.entryPorts.back() != link.producer))
                m_plan.entryPorts.push_back(link.producer);
            if (link.to == kNone && (m_plan.exitPorts.empty() || m_plan.exitPorts.back() != link.producer))
                m_plan.exitPorts.push_back(link.producer);
        }
        std::vector<BoxGraph::Box>& boxes = m_plan.graph.boxes;
        m_plan.firstEntryPort = hasEntries() ? 1 : 0; // box 0 is the anchor
        boxes.resize(m_plan.firstEntryPort + m_plan.entryPorts.size());
        m_plan.firstChild = static_cast<Index>(boxes.size());
        for (const ChildBox& child : m_children)
            boxes.push_back(child.box);
        m_plan.firstExitPort = static_cast<Index>(boxes.size());
        boxes.resize(boxes.size() + m_plan.exitPorts.size());
    }

    [[nodiscard]] static Index placeIn(const std::vector<Index>& ports, Index producer)
    {
        return static_cast<Index>(std::lower_bound(ports.begin(), ports.end(), producer) - ports.begin());
    }

    /// Children are in ascending order of their entries.
    [[nodiscard]] Index boxOfChild(Index entry) const
    {
        const auto found = std::lower_bound(m_children.begin(), m_children.end(), entry,
                                            [](const ChildBox& child, Index e) { return child.entry < e; });
        return m_plan.firstChild + static_cast<Index>(found - m_children.begin());
    }

    [[nodiscard]] Index boxOfFrom(const Link& link) const
    {
        return link.from == kNone ? m_plan.firstEntryPort + placeIn(m_plan.entryPorts, link.producer) : boxOfChild(link.from);
    }

    [[nodiscard]] Index boxOfTo(const Link& link) const
    {
        return link.to == kNone ? m_plan.firstExitPort + placeIn(m_plan.exitPorts, link.producer) : boxOfChild(link.to);
    }

    /// Sorts incoming edges by box. Boxes are in topological order: entry ports, children in execution order, exit ports.
    void sortIn()
    {
        const std::vector<BoxGraph::Edge>& edges = m_plan.graph.edges;
        m_inStart.assign(m_plan.graph.boxes.size() + 1, 0);
        for (const BoxGraph::Edge& edge : edges)
            ++m_inStart[edge.to + 1];
        for (std::size_t box = 0; box + 1 < m_inStart.size(); ++box)
            m_inStart[box + 1] += m_inStart[box];
        m_in.resize(edges.size());
        std::vector<Index> next = m_inStart;
        for (Index e = 0; e < edges.size(); ++e)
            m_in[next[edges[e].to]++] = e;
    }

    [[nodiscard]] double workOf(Index box) const
    {
        const bool isChild = box >= m_plan.firstChild && box < m_plan.firstExitPort;
        return isChild ? m_children[box - m_plan.firstChild].work : 0;
    }

    /// Gives heavy edges to the main path, the chain of boxes with the most work. The longer of equal chains wins.
    void weighMainPath()
    {
        std::vector<BoxGraph::Edge>& edges = m_plan.graph.edges;
        const auto count = static_cast<Index>(m_plan.graph.boxes.size());
        std::vector<double> work(count, 0);
        std::vector<Index> via(count, kNone);
        Index last = kNone;
        for (Index box = 0; box < count; ++box) {
            for (Index i = m_inStart[box]; i < m_inStart[box + 1]; ++i) {
                const Index from = edges[m_in[i]].from;
                if (from < box && (via[box] == kNone || work[from] > work[edges[via[box]].from]))
                    via[box] = m_in[i];
            }
            work[box] = workOf(box) + (via[box] == kNone ? 0 : work[edges[via[box]].from] + kStep);
            if (last == kNone || work[box] > work[last])
                last = box;
        }
        if (last != kNone && last >= m_plan.firstExitPort)
            m_plan.mainPort = last;
        for (Index box = last; box != kNone;) {
            if (box < m_plan.firstChild)
                m_plan.mainPort = box;
            const Index edge = via[box];
            box = edge == kNone ? kNone : edges[edge].from;
            if (edge != kNone)
                edges[edge].weight = kMainPathWeight;
        }
    }

    [[nodiscard]] std::vector<Index> ranks() const
    {
        std::vector<Index> rank(m_plan.graph.boxes.size(), 0);
        for (Index box = 0; box < rank.size(); ++box) {
            if (hasEntries() && box >= m_plan.firstEntryPort && box < m_plan.firstChild)
                rank[box] = 1;
            for (Index i = m_inStart[box]; i < m_inStart[box + 1]; ++i) {
                const Index from = m_plan.graph.edges[m_in[i]].from;
                if (from < box)
                    rank[box] = std::max(rank[box], rank[from] + 1);
            }
        }
        return rank;
    }

    void hold(Index from, Index to, float weight) { m_plan.graph.edges.push_back({from, to, weight}); }

    /// Keeps entry ports at the top: the anchor pulls each port harder than all its consumers do, and sources whose chains would
    /// reach above the ports are attached below a port.
    void holdEntries()
    {
        if (!hasEntries())
            return;
        const std::size_t linkCount = m_links.size();
        const std::vector<BoxGraph::Edge>& edges = m_plan.graph.edges;
        std::vector<float> pull(m_plan.graph.boxes.size(), 0);
        std::vector<Index> lowest(m_plan.graph.boxes.size(), kNone);
        const std::vector<Index> rank = ranks();
        for (std::size_t e = 0; e < linkCount; ++e) {
            pull[edges[e].from] += edges[e].weight;
            lowest[edges[e].from] = std::min(lowest[edges[e].from], rank[edges[e].to]);
        }
        const float heaviest = *std::max_element(pull.begin(), pull.end()) + 1;
        for (Index port = m_plan.firstEntryPort; port < m_plan.firstChild; ++port)
            hold(0, port, heaviest);
        for (Index box = m_plan.firstChild; box < m_plan.firstExitPort; ++box) {
            const bool isSource = m_inStart[box] == m_inStart[box + 1];
            if (isSource && (lowest[box] == kNone || lowest[box] <= 2))
                hold(m_plan.firstEntryPort, box, kHoldWeight);
        }
    }

    void holdExits()
    {
        if (m_plan.exitPorts.empty())
            return;
        const std::vector<Index> rank = ranks();
        std::vector<bool> isRead(m_plan.graph.boxes.size(), false);
        for (std::size_t e = 0; e < m_links.size(); ++e)
            isRead[m_plan.graph.edges[e].from] = true;
        Index deepest = m_plan.firstChild;
        for (Index box = m_plan.firstChild; box < m_plan.firstExitPort; ++box)
            deepest = rank[box] > rank[deepest] ? box : deepest;
        for (Index box = m_plan.firstChild; box < m_plan.firstExitPort; ++box) {
            if (!isRead[box])
                hold(box, m_plan.firstExitPort, kHoldWeight);
        }
        for (Index port = m_plan.firstExitPort; port < m_plan.graph.boxes.size(); ++port) {
            if (deepest < m_plan.firstExitPort && rank[port] <= rank[deepest])
                hold(deepest, port, kHoldWeight);
        }
    }

    const std::vector<ChildBox>& m_children;
    std::span<const Link> m_links;
    BodyPlan m_plan;
    std::vector<Index> m_inStart;
    std::vector<Index> m_in;
};

} // namespace

BodyPlan planBody(const std::vector<ChildBox>& children, std::span<const Link> links)
{
    return Planner(children, links).run();
}

} // namespace sunder::compose
