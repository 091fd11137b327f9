#include "layout/layered/coordinate_x.h"

#include "layout/layered/coordinate_blocks.h"
#include "layout/layered/coordinate_solver.h"

#include <algorithm>
#include <cmath>

namespace sunder::layered {

namespace {

constexpr double kMainWeight = 1e6;
constexpr double kLeastWeight = 1e-3;
constexpr double kLaneStraightness = 8; ///< how much a bend within a lane counts against one at a box
constexpr Index kSmall = 4'000;         ///< blocks up to which all rounds are made
constexpr int kRounds = 12;
constexpr int kRoundsOfLarge = 3;

double leftExtent(const FlowGraph& graph, const Layering& layering, Index v)
{
    return layering.isDummy(v) ? 0 : double{graph.boxes[v].size.width} / 2 + double{graph.boxes[v].extraLeft};
}

double rightExtent(const FlowGraph& graph, const Layering& layering, Index v)
{
    return layering.isDummy(v) ? 0 : double{graph.boxes[v].size.width} / 2 + double{graph.boxes[v].extraRight};
}

std::vector<Separation> separationsOf(const FlowGraph& graph, const Layering& layering, const Blocks& blocks,
                                      const LayoutOptions& options)
{
    const auto isLine = [&](Index v) { return layering.isDummy(v) || graph.boxes[v].size.width <= 0; };
    std::vector<Separation> separations;
    for (Index r = 0; r < layering.rankCount(); ++r) {
        for (Index i = layering.rankStart[r]; i + 1 < layering.rankStart[r + 1]; ++i) {
            const Index left = layering.order[i];
            const Index right = layering.order[i + 1];
            const double gap = double{isLine(left) || isLine(right) ? options.edgeGap : options.boxGap};
            separations.push_back({blocks.blockOf[left], blocks.blockOf[right],
                                   rightExtent(graph, layering, left) + gap + leftExtent(graph, layering, right)});
        }
    }
    return separations;
}

/// A segment between two blocks.
struct Pull {
    Index upper;
    Index lower;
    double weight;
};

std::vector<Pull> pullsOf(const Layering& layering, const Blocks& blocks)
{
    std::vector<Pull> pulls;
    for (const Segment& s : layering.segments) {
        const Index upper = blocks.blockOf[s.upper];
        const Index lower = blocks.blockOf[s.lower];
        if (upper == lower)
            continue;
        const bool isLane = layering.isDummy(s.upper) && layering.isDummy(s.lower);
        pulls.push_back({upper, lower, double{s.weight} * (isLane ? kLaneStraightness : 1)});
    }
    return pulls;
}

/// Where the blocks would be if only their neighbours counted.
std::vector<double> wishesOf(const std::vector<Pull>& pulls, const std::vector<double>& weight, const std::vector<double>& x)
{
    std::vector<double> wish(x.size());
    for (std::size_t b = 0; b < x.size(); ++b)
        wish[b] = kLeastWeight * x[b];
    for (const Pull& pull : pulls) {
        wish[pull.upper] += pull.weight * x[pull.lower];
        wish[pull.lower] += pull.weight * x[pull.upper];
    }
    for (std::size_t b = 0; b < x.size(); ++b)
        wish[b] /= weight[b];
    return wish;
}

} // namespace

std::vector<double> placeAcross(const FlowGraph& graph, const Layering& layering, const LayoutOptions& options,
                                ProgressMonitor& monitor)
{
    const auto path = mainPath(layering);
    if (monitor.isCancelled())
        return {};
    const Blocks blocks = alignBlocks(layering, path);
    if (monitor.isCancelled())
        return {};
    auto separations = separationsOf(graph, layering, blocks, options);
    if (monitor.isCancelled())
        return {};
    const SeparationSolver solver(blocks.count, std::move(separations));
    if (monitor.isCancelled())
        return {};
    const std::vector<Pull> pulls = pullsOf(layering, blocks);
    if (monitor.isCancelled())
        return {};
    std::vector<double> weight(blocks.count, kLeastWeight);
    for (const Pull& pull : pulls) {
        weight[pull.upper] += pull.weight;
        weight[pull.lower] += pull.weight;
    }
    std::vector<double> total = weight;
    const double heaviest = *std::max_element(weight.begin(), weight.end());
    if (blocks.mainBlock != kNone)
        total[blocks.mainBlock] = heaviest * kMainWeight;

    std::vector<double> x(blocks.count, 0);
    const int rounds = blocks.count <= kSmall ? kRounds : kRoundsOfLarge;
    for (int round = 0; round < rounds; ++round) {
        std::vector<double> wish = wishesOf(pulls, weight, x);
        if (blocks.mainBlock != kNone)
            wish[blocks.mainBlock] = 0;
        if (monitor.isCancelled())
            return {};
        x = solver.place(wish, total, monitor);
        if (x.empty())
            return {};
    }
    // The main path is at 0 but for the tiny share that its neighbours have; whole pixels keep lines crisp.
    std::vector<double> result(layering.vertexCount());
    for (Index v = 0; v < layering.vertexCount(); ++v)
        result[v] = std::floor(x[blocks.blockOf[v]] + 0.5);
    return result;
}

} // namespace sunder::layered
