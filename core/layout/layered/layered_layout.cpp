#include "layout/layered/layered_layout.h"

#include "layout/geometry.h"
#include "layout/layered/coordinate_solver.h"
#include "layout/layered/coordinate_x.h"
#include "layout/layered/coordinate_y.h"
#include "layout/layered/ordering.h"
#include "layout/layered/ordering_sweeps.h"
#include "layout/layered/rank.h"
#include "layout/layered/routing.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace sunder::layered {
namespace {

/// Returns the top-left corners for separately drawn parts. Parts are placed in rows by descending height, and smaller parts are
/// stacked in columns up to the height of the row. The row width is chosen so that the drawing is roughly square. O(n log n).
std::vector<Point> packParts(const std::vector<Size>& sizes, float gap)
{
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a].height > sizes[b].height; });
    double area = 0;
    float widest = 0;
    for (const Size& size : sizes) {
        area += double{size.width + gap} * double{size.height + gap};
        widest = std::max(widest, size.width);
    }
    const float rowWidth = std::max(widest, static_cast<float>(std::sqrt(area) * 1.3));

    std::vector<Point> corners(sizes.size());
    Point column;              // start of the current column
    float columnWidth = 0;
    float rowHeight = 0;       // height of the first (tallest) part of the row
    float y = 0;               // next free position in the column
    for (const std::size_t part : order) {
        const Size size = sizes[part];
        const bool startsRow = rowHeight == 0;
        if (!startsRow && y + size.height > column.y + rowHeight) {
            column.x += columnWidth + gap;
            columnWidth = 0;
            y = column.y;
            if (column.x + size.width > rowWidth) {
                column = {0, column.y + rowHeight + gap};
                y = column.y;
                rowHeight = 0;
            }
        }
        if (rowHeight == 0)
            rowHeight = std::max(size.height, 1.0F);
        corners[part] = {column.x, y};
        columnWidth = std::max(columnWidth, size.width);
        y += size.height + gap;
    }
    return corners;
}

constexpr const char* kStep = "Placing";

/// A drawn part with its top-left corner at (0, 0).
struct PartLayout {
    std::vector<Point> centers;
    std::vector<BezierPath> routes;
    std::vector<Index> firstEdge;
    Size size;
    std::uint64_t crossings = 0;
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

/// Returns the previous x of the boxes of a part, or nothing if none is known.
std::vector<float> previousXOf(const std::vector<Point>& centers, const std::vector<Index>& boxes)
{
    std::vector<float> x;
    bool isAnyKnown = false;
    for (const Index box : boxes) {
        x.push_back(box < centers.size() ? centers[box].x : std::numeric_limits<float>::quiet_NaN());
        isAnyKnown = isAnyKnown || std::isfinite(x.back());
    }
    if (!isAnyKnown)
        x.clear();
    return x;
}

PartLayout placeSingle(const BoxGraph::Box& box)
{
    PartLayout part;
    part.centers = {{box.extraLeft + box.size.width / 2, box.size.height / 2}};
    part.size = {box.extraLeft + box.size.width + box.extraRight, box.size.height};
    return part;
}

/// Returns the hinted ranks for the boxes of a part if all arcs run downward with them, else computed ranks.
std::vector<Index> ranksOf(const FlowGraph& graph, const std::vector<Index>& boxes, const std::vector<Index>& hint)
{
    std::vector<Index> ranks;
    for (const Index box : boxes)
        ranks.push_back(box < hint.size() ? hint[box] : 0);
    const auto runsDown = [&](const Arc& arc) { return ranks[arc.from] < ranks[arc.to]; };
    if (!std::all_of(graph.arcs.begin(), graph.arcs.end(), runsDown))
        return assignRanks(graph);
    closeGaps(ranks);
    return ranks;
}

/// Computes the horizontal extent of boxes, their reserved space, and lanes.
void spanOf(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x, double& left, double& right)
{
    left = x.front();
    right = x.front();
    for (Index v = 0; v < layering.vertexCount(); ++v) {
        const bool isBox = !layering.isDummy(v);
        const double half = isBox ? double{graph.boxes[v].size.width} / 2 : 0;
        left = std::min(left, x[v] - half - (isBox ? double{graph.boxes[v].extraLeft} : 0));
        right = std::max(right, x[v] + half + (isBox ? double{graph.boxes[v].extraRight} : 0));
    }
}

/// Lays out one connected part. Fails only when canceled.
Result<PartLayout> placePart(const FlowGraph& graph, const std::vector<Index>& boxes, const LayoutOptions& options,
                             const std::vector<Index>& rankHint, float share, ProgressMonitor& monitor)
{
    if (graph.boxes.size() == 1)
        return placeSingle(graph.boxes.front());
    constexpr double kOrdering = 0.2; // approximate share of time before this step …
    constexpr double kPlacing = 0.7;  // … and after it
    const std::vector<Index> ranks = ranksOf(graph, boxes, rankHint);
    SUNDER_PROPAGATE(monitor.check());
    Layering layering = makeLanes(graph, ranks);
    SUNDER_PROPAGATE(monitor.check());
    const OrderingOptions ordering{.share = share, .previousX = previousXOf(options.previousCenters, boxes)};
    SubProgress orders(monitor, kOrdering, kPlacing);
    SUNDER_PROPAGATE(orderRanks(layering, ordering, orders));
    monitor.report(kPlacing, kStep);
    SUNDER_TRY(const std::vector<double> x, placeAcross(graph, layering, options, monitor));
    SUNDER_TRY(Ports ports, spreadPorts(graph, layering, x, monitor));
    SUNDER_PROPAGATE(monitor.check());
    const Bands bands = placeDown(graph, layering, x, ports, options);
    SUNDER_PROPAGATE(monitor.check());

    PartLayout part;
    part.crossings = CrossingCounter().total(layering);
    double left = 0;
    double right = 0;
    spanOf(graph, layering, x, left, right);
    for (Index v = 0; v < layering.boxCount; ++v) {
        const double y = bands.boxTop[v] + double{graph.boxes[v].size.height} / 2;
        part.centers.push_back({static_cast<float>(x[v]), static_cast<float>(y)});
    }
    SUNDER_TRY(part.routes, routeEdges(graph, layering, x, ports, bands, options, right, monitor));
    SUNDER_PROPAGATE(monitor.check());
    part.firstEdge = std::move(ports.firstEdge);
    part.size = {static_cast<float>(right - left), static_cast<float>(bands.bottom.back())};
    shift(part, static_cast<float>(-left), 0);
    return part;
}

void takeRoutes(const BoxGraph& graph, const Parts& parts, std::vector<PartLayout>& drawn, BoxLayout& layout)
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

BoxLayout assemble(const BoxGraph& graph, const Parts& parts, std::vector<PartLayout>& drawn, float gap)
{
    std::vector<Size> sizes;
    for (const PartLayout& part : drawn)
        sizes.push_back(part.size);
    const std::vector<Point> corners = packParts(sizes, gap);
    BoxLayout layout;
    layout.centers.resize(graph.boxes.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        shift(drawn[i], corners[i].x, corners[i].y);
        for (std::size_t b = 0; b < parts.boxes[i].size(); ++b)
            layout.centers[parts.boxes[i][b]] = drawn[i].centers[b];
        layout.size.width = std::max(layout.size.width, corners[i].x + sizes[i].width);
        layout.size.height = std::max(layout.size.height, corners[i].y + sizes[i].height);
        layout.crossings += drawn[i].crossings;
    }
    takeRoutes(graph, parts, drawn, layout);
    return layout;
}

} // namespace

Result<BoxLayout> layOutInRanks(const BoxGraph& graph, const LayoutOptions& options, const std::vector<Index>& rankHint,
                                ProgressMonitor& monitor)
{
    const Parts parts = connectedParts(graph);
    SUNDER_PROPAGATE(monitor.check());
    std::vector<PartLayout> drawn;
    double done = 0;
    for (std::size_t i = 0; i < parts.graphs.size(); ++i) {
        const float share = float(parts.boxes[i].size()) / float(graph.boxes.size());
        SubProgress section(monitor, done, done + double(share));
        done += double(share);
        SUNDER_PROPAGATE(monitor.check());
        SUNDER_TRY(PartLayout part, placePart(parts.graphs[i], parts.boxes[i], options, rankHint, share, section));
        drawn.push_back(std::move(part));
        monitor.report(done, kStep);
    }
    return assemble(graph, parts, drawn, options.boxGap * 2);
}

} // namespace sunder::layered
