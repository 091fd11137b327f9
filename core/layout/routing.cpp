#include "layout/routing.h"

#include "layout/routing_path.h"

#include <algorithm>

namespace sunder::layered {

namespace {

constexpr Index kDetourLanes = 24; ///< detours beyond that share lanes

class Router {
public:
    Router(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x, const Ports& ports,
           const Bands& bands, const LayoutOptions& options)
        : m_graph(graph)
        , m_layering(layering)
        , m_x(x)
        , m_ports(ports)
        , m_bands(bands)
        , m_options(options)
        , m_straightUntil(layering.vertexCount() - layering.boxCount)
    {
        for (Index v = layering.vertexCount(); v-- > layering.boxCount;) {
            Index& until = m_straightUntil[v - layering.boxCount];
            until = layering.rankOf[v];
            if (v + 1 < layering.vertexCount() && layering.rankOf[v + 1] == until + 1 && x[v + 1] == x[v] &&
                layering.isLaneContinued(v))
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
            path.bendTo(m_x[lane], m_bands.top[r]);
            r = std::min(last - 1, m_straightUntil[lane - m_layering.boxCount]);
            path.downTo(m_bands.bottom[r]);
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
    [[nodiscard]] double lowerBorder(Index box) const
    {
        return m_bands.boxTop[box] + double{m_graph.boxes[box].size.height};
    }

    const FlowGraph& m_graph;
    const Layering& m_layering;
    const std::vector<double>& m_x;
    const Ports& m_ports;
    const Bands& m_bands;
    const LayoutOptions& m_options;
    std::vector<Index> m_straightUntil; ///< per dummy: the rank to which its lane runs straight down
};

} // namespace

std::vector<BezierPath> routeEdges(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x,
                                   const Ports& ports, const Bands& bands, const LayoutOptions& options,
                                   double& right)
{
    const Router router(graph, layering, x, ports, bands, options);
    std::vector<BezierPath> routes(ports.leave.size());
    const double edge = right;
    Index detours = 0;
    for (Index a = 0; a < graph.arcs.size(); ++a) {
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
    return {{x, low},           {x, low + 12},  {out, low + 12}, {out, center.y},
            {out, high - 12},   {x, high - 12}, {x, high}};
}

} // namespace sunder::layered
