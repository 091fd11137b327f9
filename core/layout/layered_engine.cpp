#include "layout/box_layout.h"

#include "layout/coordinate_blocks.h"
#include "layout/coordinate_x.h"
#include "layout/coordinate_y.h"
#include "layout/layered_packing.h"
#include "layout/ordering.h"
#include "layout/rank.h"
#include "layout/routing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {

namespace {

using namespace layered;

/// A drawn part, with its top left corner at (0, 0).
struct PartLayout {
    std::vector<Point> centers;
    std::vector<BezierPath> routes;
    std::vector<Index> firstEdge;
    Size size;
};

void shift(PartLayout& part, float dx, float dy)
{
    for (Point& p : part.centers)
        p = {p.x + dx, p.y + dy};
    for (BezierPath& path : part.routes) {
        for (Point& p : path)
            p = {p.x + dx, p.y + dy};
    }
}

/// Long edges run at the left where chips stand at the right of the boxes that they pass.
bool areLanesBetterLeft(const FlowGraph& graph)
{
    return std::any_of(graph.boxes.begin(), graph.boxes.end(),
                       [](const BoxGraph::Box& box) { return box.extraRight > 0; });
}

std::vector<float> previousXOf(const LayoutOptions& options, const std::vector<Index>& boxes)
{
    std::vector<float> x;
    bool isAnyKnown = false;
    for (const Index box : boxes) {
        x.push_back(box < options.previousCenters.size() ? options.previousCenters[box].x
                                                         : std::numeric_limits<float>::quiet_NaN());
        isAnyKnown = isAnyKnown || std::isfinite(x.back());
    }
    if (!isAnyKnown)
        x.clear();
    return x;
}

PartLayout placeSingle(const BoxGraph::Box& box)
{
    return {{{box.size.width / 2, box.size.height / 2}}, {}, {0}, {box.size.width + box.extraRight, box.size.height}};
}

/// Lays out one connected part; no centers when cancelled.
PartLayout placePart(const FlowGraph& graph, const std::vector<Index>& boxes, const LayoutOptions& options,
                     ProgressMonitor& monitor)
{
    if (graph.boxes.size() == 1)
        return placeSingle(graph.boxes.front());
    Layering layering = makeLanes(graph, assignRanks(graph));
    const OrderingOptions ordering{.lanesLeft = areLanesBetterLeft(graph), .previousX = previousXOf(options, boxes)};
    if (!orderRanks(layering, ordering, monitor))
        return {};
    const std::vector<double> x = placeAcross(graph, layering, options, monitor);
    if (x.empty())
        return {};
    Ports ports = spreadPorts(graph, layering, x);
    const Bands bands = placeDown(graph, layering, x, ports, options);

    PartLayout part;
    double left = std::numeric_limits<double>::max();
    double right = std::numeric_limits<double>::lowest();
    for (Index v = 0; v < layering.vertexCount(); ++v) {
        const bool isBox = !layering.isDummy(v);
        left = std::min(left, x[v] - (isBox ? double{graph.boxes[v].size.width} / 2 : 0));
        right = std::max(right, x[v] + (isBox ? double{graph.boxes[v].size.width} / 2 + double{graph.boxes[v].extraRight} : 0));
        if (isBox)
            part.centers.push_back({static_cast<float>(x[v]), static_cast<float>(bands.boxTop[v]) + graph.boxes[v].size.height / 2});
    }
    part.routes = routeEdges(graph, layering, x, ports, bands, options, right);
    part.firstEdge = std::move(ports.firstEdge);
    part.size = {static_cast<float>(right - left), static_cast<float>(bands.bottom.back())};
    shift(part, static_cast<float>(-left), 0);
    return part;
}

class LayeredEngine final : public LayoutEngine {
public:
    [[nodiscard]] Result<BoxLayout> layout(const BoxGraph& graph, const LayoutOptions& options,
                                           ProgressMonitor& monitor) const override
    {
        const Parts parts = takeApart(graph);
        std::vector<PartLayout> drawn;
        std::vector<Size> sizes;
        for (std::size_t i = 0; i < parts.graphs.size(); ++i) {
            if (!monitor.isCancelled())
                drawn.push_back(placePart(parts.graphs[i], parts.boxes[i], options, monitor));
            if (drawn.size() <= i || drawn.back().centers.empty())
                return fail(ErrorCode::cancelled, "The layout was cancelled.");
            sizes.push_back(drawn.back().size);
            monitor.report(double(i + 1) / double(parts.graphs.size()), "Placing");
        }
        const std::vector<Point> corners = packParts(sizes, options.boxGap * 2);
        BoxLayout layout;
        layout.centers.resize(graph.boxes.size());
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            shift(drawn[i], corners[i].x, corners[i].y);
            for (std::size_t b = 0; b < parts.boxes[i].size(); ++b)
                layout.centers[parts.boxes[i][b]] = drawn[i].centers[b];
            layout.size.width = std::max(layout.size.width, corners[i].x + sizes[i].width);
            layout.size.height = std::max(layout.size.height, corners[i].y + sizes[i].height);
        }
        takeRoutes(graph, parts, drawn, layout);
        return layout;
    }

    [[nodiscard]] const char* name() const override { return "layered"; }

private:
    static void takeRoutes(const BoxGraph& graph, const Parts& parts, std::vector<PartLayout>& drawn,
                           BoxLayout& layout)
    {
        layout.routes.resize(graph.edges.size());
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            const EdgePlace& place = parts.edges[e];
            if (place.part == kNone) {
                const Index box = graph.edges[e].from;
                layout.routes[e] = routeLoop(graph.boxes[box], layout.centers[box]);
                continue;
            }
            PartLayout& part = drawn[place.part];
            layout.routes[e] = std::move(part.routes[part.firstEdge[place.arc] + place.copy]);
            if (place.reversed)
                std::reverse(layout.routes[e].begin(), layout.routes[e].end());
        }
    }
};

} // namespace

std::unique_ptr<LayoutEngine> makeLayeredEngine()
{
    return std::make_unique<LayeredEngine>();
}

} // namespace sunder
