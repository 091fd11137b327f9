#include "layout/layered/routing.h"

#include "layout/geometry.h"

#include <algorithm>
#include <cmath>

namespace sunder::layered {
namespace {

/// Builds a BezierPath that runs downward. Consecutive vertical pieces are merged.
class PathBuilder {
public:
    PathBuilder(double x, double y);

    /// Adds a vertical line down to `y`, or nothing if `y` is not below.
    void downTo(double y);
    /// Adds a curve to (x, y) that leaves and arrives vertically.
    void bendTo(double x, double y);
    /// Adds a path to (x, y) with a horizontal line half way down.
    void sideTo(double x, double y);

    [[nodiscard]] BezierPath take();

private:
    void curve(Point a, Point b, Point end);

    BezierPath m_path;
    bool m_isVertical = false; ///< the last piece is a straight line down
};

constexpr float kTension = 0.5F; ///< position of control points, relative to the height of a bend
constexpr float kArc = 0.55F;    ///< the same for a quarter of an ellipse

Point pointOf(double x, double y)
{
    return {static_cast<float>(x), static_cast<float>(y)};
}

PathBuilder::PathBuilder(double x, double y) : m_path{pointOf(x, y)} {}

void PathBuilder::curve(Point a, Point b, Point end)
{
    m_path.push_back(a);
    m_path.push_back(b);
    m_path.push_back(end);
    m_isVertical = false;
}

void PathBuilder::downTo(double y)
{
    const auto end = static_cast<float>(y);
    if (end <= m_path.back().y)
        return;
    if (m_isVertical)
        m_path.resize(m_path.size() - 3);
    const Point start = m_path.back();
    const float third = (end - start.y) / 3;
    curve({start.x, start.y + third}, {start.x, end - third}, {start.x, end});
    m_isVertical = true;
}

void PathBuilder::bendTo(double x, double y)
{
    const Point start = m_path.back();
    const Point end = pointOf(x, y);
    if (std::abs(end.x - start.x) < 0.25F) {
        downTo(y);
        return;
    }
    const float handle = (end.y - start.y) * kTension;
    curve({start.x, start.y + handle}, {end.x, end.y - handle}, end);
}

void PathBuilder::sideTo(double x, double y)
{
    const Point start = m_path.back();
    const Point end = pointOf(x, y);
    const float half = (end.y - start.y) / 2;
    if (std::abs(end.x - start.x) < 2 * half) {
        bendTo(x, y);
        return;
    }
    const float middle = start.y + half;
    const float turn = std::copysign(half, end.x - start.x);
    curve({start.x, start.y + half * kArc}, {start.x + turn * (1 - kArc), middle}, {start.x + turn, middle});
    const float third = (end.x - start.x - 2 * turn) / 3;
    curve({start.x + turn + third, middle}, {end.x - turn - third, middle}, {end.x - turn, middle});
    curve({end.x - turn * (1 - kArc), middle}, {end.x, end.y - half * kArc}, end);
}

BezierPath PathBuilder::take()
{
    return std::move(m_path);
}

constexpr Index kArcsBetweenAsks = 4'096; ///< arcs between cancellation checks
constexpr double kMaxRounding = 22; ///< maximum extent of bends into a rank
constexpr double kClearance = 6;     ///< between a bend and a box
constexpr Index kDetourLanes = 24; ///< additional detours share lanes

class Router {
public:
    Router(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x, const Ports& ports, const Bands& bands,
           const LayoutOptions& options)
        : m_graph(graph), m_layering(layering), m_x(x), m_ports(ports), m_bands(bands), m_options(options),
          m_straightUntil(layering.vertexCount() - layering.boxCount), m_boxBefore(m_straightUntil.size(), kNone),
          m_boxAfter(m_straightUntil.size(), kNone)
    {
        noteBoxes();
        for (Index v = layering.vertexCount(); v-- > layering.boxCount;) {
            Index& until = m_straightUntil[v - layering.boxCount];
            until = layering.rankOf[v];
            if (v + 1 < layering.vertexCount() && layering.rankOf[v + 1] == until + 1 && x[v + 1] == x[v]
                && layering.isLaneContinued(v))
                until = m_straightUntil[v + 1 - layering.boxCount];
        }
    }

    [[nodiscard]] BezierPath route(Index a, Index edge) const
    {
        const Arc& arc = m_graph.arcs[a];
        const Index first = m_layering.rankOf[arc.from];
        const Index last = m_layering.rankOf[arc.to];
        PathBuilder path(m_ports.leave[edge], lowerBorder(arc.from));
        path.downTo(m_bands.bottom[first]);
        for (Index r = first + 1; r < last; ++r) {
            const Index lane = m_layering.laneVertex(arc.from, r);
            path.bendTo(m_x[lane], m_bands.top[r] + (r == first + 1 ? roundingAbove(lane, m_ports.leave[edge]) : 0));
            r = std::min(last - 1, m_straightUntil[lane - m_layering.boxCount]);
            const Index lowest = m_layering.laneVertex(arc.from, r);
            path.downTo(m_bands.bottom[r] - (r == last - 1 ? roundingBelow(lowest, m_ports.arrive[edge]) : 0));
        }
        path.bendTo(m_ports.arrive[edge], m_bands.top[last]);
        path.downTo(m_bands.boxTop[arc.to]);
        return path.take();
    }

    [[nodiscard]] BezierPath routeDetour(Index a, Index edge, double lane) const
    {
        const Arc& arc = m_graph.arcs[a];
        const Index first = m_layering.rankOf[arc.from];
        const Index last = m_layering.rankOf[arc.to];
        PathBuilder path(m_ports.leave[edge], lowerBorder(arc.from));
        path.downTo(m_bands.bottom[first]);
        path.sideTo(lane, m_bands.top[first + 1]);
        path.downTo(m_bands.bottom[last - 1]);
        path.sideTo(m_ports.arrive[edge], m_bands.top[last]);
        path.downTo(m_bands.boxTop[arc.to]);
        return path.take();
    }

    [[nodiscard]] double detourLane(Index number, double right) const
    {
        return right + double{m_options.edgeGap} * (1 + number % kDetourLanes);
    }

private:
    [[nodiscard]] double lowerBorder(Index box) const { return m_bands.boxTop[box] + double{m_graph.boxes[box].size.height}; }

    /// Returns how far the bend of an edge from `x` to a lane may reach into the lane's first rank without coming close to the
    /// adjacent box. Larger bends look rounder.
    [[nodiscard]] double roundingAbove(Index lane, double x) const
    {
        const Index rank = m_layering.rankOf[lane];
        const Index box = neighborBox(lane, x);
        const double gap = m_bands.top[rank] - m_bands.bottom[rank - 1];
        const double clear = box == kNone ? kMaxRounding : m_bands.boxTop[box] - m_bands.top[rank];
        return rounding(lane, x, gap, clear, box);
    }

    /// The same for the bend from a lane's last rank to `x`.
    [[nodiscard]] double roundingBelow(Index lane, double x) const
    {
        const Index rank = m_layering.rankOf[lane];
        const Index box = neighborBox(lane, x);
        const double gap = m_bands.top[rank + 1] - m_bands.bottom[rank];
        const double clear = box == kNone ? kMaxRounding : m_bands.bottom[rank] - lowerBorder(box);
        return rounding(lane, x, gap, clear, box);
    }

    /// `clear` is the distance into the rank before `box` begins.
    [[nodiscard]] double rounding(Index lane, double x, double gap, double clear, Index box) const
    {
        const Index rank = m_layering.rankOf[lane];
        const double most = std::min(kMaxRounding, (m_bands.bottom[rank] - m_bands.top[rank]) / 2);
        const double far = std::abs(x - m_x[lane]);
        const double beside = box == kNone ? far : std::abs(borderOf(box, lane) - m_x[lane]) - kClearance;
        for (const double part : {1.0, 0.75, 0.5, 0.25}) {
            const double height = gap + part * most;
            if (clear >= part * most || far * bendLeft((gap + std::max(clear, 0.0) - kClearance) / height) <= beside)
                return part * most;
        }
        return 0;
    }

    /// Returns the remaining horizontal share of a bend at a given vertical share.
    static double bendLeft(double down)
    {
        double low = 0;
        double high = 1;
        for (int step = 0; step < 12; ++step) {
            const double t = (low + high) / 2;
            const double y = t * (1.5 - 1.5 * t + t * t); // the cubic of PathBuilder::bendTo
            (y < down ? low : high) = t;
        }
        return 1 - low * low * (3 - 2 * low);
    }

    /// The side of `box` that faces `lane`.
    [[nodiscard]] double borderOf(Index box, Index lane) const
    {
        const double half = double{m_graph.boxes[box].size.width} / 2;
        return m_x[box] < m_x[lane] ? m_x[box] + half + double{m_graph.boxes[box].extraRight}
                                    : m_x[box] - half - double{m_graph.boxes[box].extraLeft};
    }

    /// The box next to the lane on the side of `x`, within its rank.
    [[nodiscard]] Index neighborBox(Index lane, double x) const
    {
        return (x < m_x[lane] ? m_boxBefore : m_boxAfter)[lane - m_layering.boxCount];
    }

    void noteBoxes()
    {
        for (Index r = 0; r < m_layering.rankCount(); ++r) {
            const auto begin = m_layering.order.begin() + m_layering.rankStart[r];
            const auto end = m_layering.order.begin() + m_layering.rankStart[r + 1];
            Index box = kNone;
            const auto note = [&](Index v, std::vector<Index>& beside) {
                if (m_layering.isDummy(v))
                    beside[v - m_layering.boxCount] = box;
                else
                    box = v;
            };
            std::for_each(begin, end, [&](Index v) { note(v, m_boxBefore); });
            box = kNone;
            std::for_each(std::make_reverse_iterator(end), std::make_reverse_iterator(begin),
                          [&](Index v) { note(v, m_boxAfter); });
        }
    }

    const FlowGraph& m_graph;
    const Layering& m_layering;
    const std::vector<double>& m_x;
    const Ports& m_ports;
    const Bands& m_bands;
    const LayoutOptions& m_options;
    std::vector<Index> m_straightUntil; ///< per dummy: last rank of the straight section of its lane
    std::vector<Index> m_boxBefore; ///< per dummy: next box to the left; kNone: none
    std::vector<Index> m_boxAfter; ///< the same to the right
};

} // namespace

Result<std::vector<BezierPath>> routeEdges(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x,
                                           const Ports& ports, const Bands& bands, const LayoutOptions& options, double& right,
                                           ProgressMonitor& monitor)
{
    const Router router(graph, layering, x, ports, bands, options);
    std::vector<BezierPath> routes(ports.leave.size());
    const double edge = right;
    Index detours = 0;
    for (Index a = 0; a < graph.arcs.size(); ++a) {
        if (a % kArcsBetweenAsks == kArcsBetweenAsks - 1)
            SUNDER_PROPAGATE(monitor.check());
        for (Index e = ports.firstEdge[a]; e < ports.firstEdge[a + 1]; ++e) {
            if (!layering.isDetour[a]) {
                routes[e] = router.route(a, e);
                continue;
            }
            const double lane = router.detourLane(detours++, edge);
            routes[e] = router.routeDetour(a, e, lane);
            right = std::max(right, lane);
        }
    }
    return routes;
}

BezierPath routeLoop(const BoxGraph::Box& box, Point center)
{
    const float x = center.x + box.size.width * 0.3F;
    const float out = center.x + box.size.width / 2 + 10;
    const float low = center.y + box.size.height / 2;
    const float high = center.y - box.size.height / 2;
    return {{x, low}, {x, low + 12}, {out, low + 12}, {out, center.y}, {out, high - 12}, {x, high - 12}, {x, high}};
}

} // namespace sunder::layered
