// Prints layout time, crossings, and edge lengths. Where dot can be expected to finish, prints the same for dot and the ratio
// ours / dot. Our time is processor time, unaffected by other programs; dot is a child process and is timed by wall clock.
// Crossings are counted the same way for both, for dot with its ranks and order and our lanes. Lengths are |dx| + |dy| between
// box borders; those of dot use its own positions. Usage: layout_bench [WORD] (only graphs with WORD in their name)
#include "benchmark.h"
#include "layout/box_layout.h"
#include "layout/dot/dot_child_process.h"
#include "layout/dot/dot_effort.h"
#include "layout/dot/dot_protocol.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <string>

namespace sunder::layout_bench {

namespace {

struct Case {
    std::string name;
    BoxGraph graph;
};

BoxGraph chain(unsigned count)
{
    BoxGraph graph;
    for (unsigned i = 0; i < count; ++i) {
        graph.boxes.push_back({{120.0F + float(i % 5) * 20, 40}});
        if (i > 0)
            graph.edges.push_back({i - 1, i});
    }
    return graph;
}

BoxGraph residualChain(unsigned count)
{
    BoxGraph graph = chain(count);
    for (unsigned i = 0; i + 3 < count; i += 3)
        graph.edges.push_back({i, i + 3});
    return graph;
}

BoxGraph maskedBlocks(unsigned blocks)
{
    BoxGraph graph = chain(blocks * 10);
    const auto mask = static_cast<unsigned>(graph.boxes.size());
    graph.boxes.push_back({{120, 40}});
    for (unsigned b = 0; b < blocks; ++b)
        graph.edges.push_back({mask, b * 10 + 3});
    return graph;
}

BoxGraph denseBlock(unsigned count)
{
    BoxGraph graph = chain(count);
    for (unsigned a = 0; a < count; ++a) {
        for (unsigned b = a + 2; b < count; ++b)
            graph.edges.push_back({a, b});
    }
    return graph;
}

/// `width` branches with occasional edges between them.
BoxGraph wide(unsigned ranks, unsigned width)
{
    std::mt19937 random(1);
    BoxGraph graph = chain(ranks * width);
    graph.edges.clear();
    for (unsigned r = 1; r < ranks; ++r) {
        for (unsigned i = 0; i < width; ++i) {
            graph.edges.push_back({(r - 1) * width + i, r * width + i});
            if (random() % 3 == 0)
                graph.edges.push_back({(r - 1) * width + static_cast<unsigned>(random() % width), r * width + i});
        }
    }
    return graph;
}

BoxGraph experts(unsigned layers, unsigned width)
{
    BoxGraph graph = chain(1);
    unsigned last = 0;
    for (unsigned l = 0; l < layers; ++l) {
        const auto join = static_cast<unsigned>(graph.boxes.size()) + width;
        graph.boxes.resize(join + 1, {{130, 40}});
        for (unsigned i = 0; i < width; ++i)
            graph.edges.insert(graph.edges.end(), {{last, join - 1 - i}, {join - 1 - i, join}});
        last = join;
    }
    return graph;
}

/// Every box reads one or two of the previous sixty.
BoxGraph randomGraph(unsigned count)
{
    std::mt19937 random(1);
    BoxGraph graph = chain(count);
    graph.edges.clear();
    for (unsigned i = 1; i < count; ++i) {
        const unsigned inputs = 1 + static_cast<unsigned>(random() % 2);
        for (unsigned k = 0; k < inputs; ++k)
            graph.edges.push_back({i - 1 - static_cast<unsigned>(random() % std::min(i, 60U)), i});
    }
    return graph;
}

struct Run {
    double milliseconds = -1;
    std::uint64_t crossings = 0;
    double length = 0; ///< of all edges
};

double lengthOf(const BoxGraph& graph, const std::vector<Point>& centers)
{
    double length = 0;
    for (const BoxGraph::Edge& edge : graph.edges) {
        const double down = double{centers[edge.to].y} - double{graph.boxes[edge.to].size.height} / 2
            - double{centers[edge.from].y} - double{graph.boxes[edge.from].size.height} / 2;
        length += std::abs(double{centers[edge.to].x} - double{centers[edge.from].x}) + std::abs(down);
    }
    return length;
}

/// Returns the box positions that dot computes.
std::vector<Point> placesOfDot(const char* program, const BoxGraph& graph)
{
    const LayoutOptions options;
    const bool isBounded = predictDot(layered::measureRanks(graph)) != DotEffort::full;
    const std::string request = dot::encodeRequest({graph, options.boxGap, options.rankGap, 60'000, isBounded});
    const Result<std::string> answer = dot::runChild({.command = {program, "--layout-child"},
                                                      .input = request,
                                                      .outputLimit = dot::answerSize(graph.boxes.size()),
                                                      .timeLimitMs = 60'000},
                                                     ProgressMonitor::none());
    if (!answer)
        return {};
    return dot::decodeAnswer(*answer, graph.boxes.size()).value_or(std::vector<Point>());
}

double processorMilliseconds()
{
    return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double clockMilliseconds()
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Run run(const LayoutEngine& engine, const BoxGraph& graph, int times, double (*now)())
{
    Run best;
    for (int i = 0; i < times; ++i) {
        const double start = now();
        const Result<BoxLayout> layout = engine.layout(graph, {.timeLimitMs = 60'000}, ProgressMonitor::none());
        const double took = now() - start;
        if (!layout)
            return {};
        if (best.milliseconds < 0 || took < best.milliseconds)
            best = {took, layout->crossings, lengthOf(graph, layout->centers)};
    }
    return best;
}

} // namespace

int run(int argc, char** argv)
{
    if (argc > 1 && std::strcmp(argv[1], "--layout-child") == 0)
        return runLayoutChild();
    const Case cases[] = {
        {"chain 1k", chain(1'000)},
        {"chain 10k", chain(10'000)},
        {"chain 100k", chain(100'000)},
        {"chain 200k", chain(200'000)},
        {"residual chain 1k", residualChain(1'000)},
        {"residual chain 10k", residualChain(10'000)},
        {"residual chain 100k", residualChain(100'000)},
        {"mask to 100 blocks, 1k", maskedBlocks(100)},
        {"mask to 1k blocks, 10k", maskedBlocks(1'000)},
        {"mask to 10k blocks, 100k", maskedBlocks(10'000)},
        {"dense block 121", denseBlock(121)},
        {"8 experts x 100 layers", experts(100, 8)},
        {"64 experts x 100 layers", experts(100, 64)},
        {"wide 20 x 10", wide(20, 10)},
        {"wide 40 x 20", wide(40, 20)},
        {"wide 100 x 100", wide(100, 100)},
        {"wide 1000 x 100", wide(1'000, 100)},
        {"random 1k", randomGraph(1'000)},
        {"random 10k", randomGraph(10'000)},
        {"random 100k", randomGraph(100'000)},
    };
    const auto layered = makeLayeredEngine();
    const auto dot = makeDotEngine(argv[0]);
    std::printf("%-26s %7s %7s %9s %9s %9s | %9s %9s %9s | %7s %9s %7s\n", "graph", "boxes", "edges", "ours ms", "crossings",
                "length", "dot ms", "crossings", "length", "time x", "crossings", "length");
    for (const Case& each : cases) {
        if (argc > 1 && each.name.find(argv[1]) == std::string::npos)
            continue;
        const bool isLarge = each.graph.boxes.size() > 5'000;
        const Run ours = run(*layered, each.graph, isLarge ? 2 : 5, processorMilliseconds);
        std::printf("%-26s %7zu %7zu %9.2f %9llu %9.3g |", each.name.c_str(), each.graph.boxes.size(), each.graph.edges.size(),
                    ours.milliseconds, static_cast<unsigned long long>(ours.crossings), ours.length);
        if (predictDot(layered::measureRanks(each.graph)) == DotEffort::none) {
            std::printf(" %9s\n", "-");
            continue;
        }
        Run dots = run(*dot, each.graph, 1, clockMilliseconds);
        dots.length = lengthOf(each.graph, placesOfDot(argv[0], each.graph));
        const double crossings = ours.crossings == dots.crossings ? 1 : double(ours.crossings) / double(dots.crossings);
        std::printf(" %9.2f %9llu %9.3g | %7.3f %9.2f %7.2f\n", dots.milliseconds,
                    static_cast<unsigned long long>(dots.crossings), dots.length, ours.milliseconds / dots.milliseconds,
                    crossings, ours.length / dots.length);
    }
    return 0;
}

const Benchmark kBenchmark{"layout_bench", run};

} // namespace sunder::layout_bench
