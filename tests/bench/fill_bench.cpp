#include "analysis/fill/fill.h"
#include "analysis/fill/fill_effect.h"
#include "benchmark.h"
#include "block_program.h"
#include "io/model_file.h"
#include "passes/regions/find_regions.h"
#include "passes/regions/occurrences.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

namespace sunder::fill_bench {

namespace {

double milliseconds(const auto& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Twenty consecutive tags; every hundredth op has a wrong one.
TagAssignment twentyTags(const Snapshot& snapshot)
{
    TagAssignment tags{.order = {}, .tagOf = std::vector(snapshot.graph().idBound(), TagAssignment::kUntagged)};
    for (int i = 0; i < 20; ++i)
        tags.order.push_back(intern("stage" + std::to_string(i)));
    std::mt19937 random(1);
    for (const NodeId id : snapshot.graph().nodes())
        tags.tagOf[id.index()] = random() % 100 == 0
            ? static_cast<std::int32_t>(random() % 20)
            : static_cast<std::int32_t>(snapshot.positions[id.index()] * std::size_t{20} / snapshot.graph().size());
    return tags;
}

/// Times the hover of a fill: finding its ops and their effect on legality.
void measure(const std::string& title, Program program)
{
    const Snapshot snapshot(std::move(program));
    const TagAssignment tags = twentyTags(snapshot);
    OccurrenceTable occurrences;
    const double regions = milliseconds([&] {
        if (const auto found = findRegions(snapshot.program))
            occurrences = occurrencesOf(*found, snapshot.graph().idBound());
    });
    std::printf("%s: %zu nodes, %zu tags; regions once: %.1f ms\n", title.c_str(), snapshot.graph().size(), tags.order.size(),
                regions);
    std::vector<NodeId> calls;
    for (const NodeId id : snapshot.graph().nodes())
        if (snapshot.isCall(id))
            calls.push_back(id);
    for (const FillScopeWords& words : kFillScopes) {
        std::mt19937 random(7);
        std::vector<double> times;
        std::size_t taken = 0;
        for (int i = 0; i < 200; ++i) {
            const std::vector pick{calls[random() % calls.size()]};
            const std::vector first{calls[random() % calls.size()]};
            times.push_back(milliseconds([&] {
                const Result<Fill> fill = fillOf(
                    snapshot, tags,
                    {.scope = words.scope, .pick = pick, .other = first, .width = random() % 3, .occurrences = &occurrences});
                if (!fill)
                    return;
                taken = std::max(taken, fill->nodes.size());
                (void)fillEffect(snapshot, tags, fill->nodes, 3);
            }));
        }
        std::ranges::sort(times);
        std::printf("  %-12s p50 %6.2f ms, p95 %6.2f ms, max %6.2f ms (up to %zu ops)\n", std::string(words.id).c_str(),
                    times[100], times[190], times.back(), taken);
    }
}

} // namespace

int run(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
        if (Result<Program> read = readModel(argv[i]))
            measure(argv[i], std::move(*read));
    measure("blocks", blockProgram(10'000, BlockForm::exported));
    measure("blocks", blockProgram(100'000, BlockForm::exported));
    return 0;
}

const Benchmark kBenchmark{"fill_bench", run};

} // namespace sunder::fill_bench
