// Times the computations of the panes on a cut: its tables, its metrics, the preview of a move, and the comparison of two runs.
//
//     cut_bench [--parts K] [--repeat R] MODEL …
//
// The cut consists of consecutive stages. The moves take the first call after each boundary, then one call in twenty.
#include "analysis/cut/compare_cuts.h"
#include "analysis/cut/move_preview.h"
#include "analysis/stages.h"
#include "benchmark.h"
#include "io/model_file.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace sunder::cut_bench {

namespace {

double best(int repeat, const std::function<void()>& run)
{
    double least = 1e300;
    for (int i = 0; i < repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        run();
        least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least * 1e3;
}

int measure(const char* path, std::uint32_t parts, int repeat)
{
    const Result<Program> program = readModel(path);
    const Result<TagAssignment> tags = program ? consecutiveStages(*program, parts) : Result<TagAssignment>(forward(program));
    if (!tags) {
        std::fprintf(stderr, "%s: %s\n", path, tags.error().message.c_str());
        return 1;
    }
    CutGraph graph;
    const double tables = best(repeat, [&] { graph = cutGraph(*program); });
    const double metrics = best(repeat, [&] { cutMetrics(graph, *tags); });
    const MovePreviewer previewer(graph, *tags);
    double one = 0;
    std::vector<NodeId> many;
    for (std::uint32_t call = 1; call < graph.callCount; ++call) {
        const std::vector<NodeId> node = {graph.nodes[call]};
        const std::int32_t from = (*tags)[graph.nodes[call - 1]];
        if (from != (*tags)[node[0]])
            one = std::max(one, best(repeat, [&] { static_cast<void>(previewer.preview(node, from)); }));
        if (call % 20 == 0)
            many.push_back(node[0]);
    }
    const double twentieth = best(repeat, [&] { static_cast<void>(previewer.preview(many, 0)); });
    const TagAssignment other = *consecutiveStages(*program, parts + 1);
    const double compare = best(repeat, [&] { compareCuts(graph, *tags, other); });
    std::printf("%s: %u calls, %u parts: tables %.2f ms, metrics %.2f ms, preview of one call at most %.2f ms, of %zu "
                "calls %.2f ms, "
                "comparison %.2f ms\n",
                path, graph.callCount, parts, tables, metrics, one, many.size(), twentieth, compare);
    return 0;
}

} // namespace

int run(int argc, char** argv)
{
    std::uint32_t parts = 8;
    int repeat = 5;
    int failed = 0;
    for (int i = 1; i < argc; ++i) {
        const bool hasValue = i + 1 < argc;
        if (std::strcmp(argv[i], "--parts") == 0 && hasValue)
            parts = static_cast<std::uint32_t>(std::strtoul(argv[++i], nullptr, 10));
        else if (std::strcmp(argv[i], "--repeat") == 0 && hasValue)
            repeat = std::atoi(argv[++i]);
        else
            failed += measure(argv[i], parts, repeat);
    }
    return failed == 0 ? 0 : 1;
}

const Benchmark kBenchmark{"cut_bench", run};

} // namespace sunder::cut_bench
