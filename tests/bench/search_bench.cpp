#include "analysis/search/find_nodes.h"
#include "analysis/search/text_pattern.h"
#include "benchmark.h"
#include "block_program.h"
#include "io/model_file.h"

#include <chrono>
#include <cstdio>

namespace sunder::search_bench {

namespace {

double milliseconds(const auto& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Times one keystroke in the search field and in the "Go to" field.
void measure(const std::string& title, Program program)
{
    const Snapshot snapshot(std::move(program));
    const Graph& graph = snapshot.graph();
    std::printf("%s: %zu nodes\n", title.c_str(), graph.size());
    for (const char* query : {"op:mat", "module:layers.1", "module:blocks.77", "class:Lin", "nosuchword"}) {
        const double completing = milliseconds([&] { (void)completionsOf(snapshot, {}, query, 6); });
        const auto parsed = parseQuery(query);
        std::size_t hits = 0;
        const double finding = milliseconds([&] { hits = findNodes(snapshot, {}, *parsed, ProgressMonitor::none())->size(); });
        const double why = hits > 0 ? 0 : milliseconds([&] { (void)whyNothing(snapshot, {}, *parsed, ProgressMonitor::none()); });
        std::printf("  %-18s complete %6.2f ms, find %6.2f ms, why nothing %6.2f ms\n", query, completing, finding, why);
    }
    std::vector<ModulePlace> modules;
    const double listing = milliseconds([&] { modules = modulePlaces(snapshot.program); });
    std::printf("  go to: modules listed in %.2f ms (%zu)", listing, modules.size());
    for (const char* typed : {"a", "add1", "lay3mlp"}) {
        std::size_t fit = 0;
        const double ranking = milliseconds([&] {
            for (const ModulePlace& module : modules)
                fit += fuzzyMatch(typed, module.path).has_value() ? 1 : 0;
            for (const NodeId id : graph.nodes())
                fit += fuzzyMatch(typed, graph[id].name.view()).has_value() ? 1 : 0;
        });
        std::printf(", '%s' %.2f ms (%zu fit)", typed, ranking, fit);
    }
    std::printf("\n");
}

} // namespace

int run(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
        if (Result<Program> read = readModel(argv[i]))
            measure(argv[i], std::move(*read));
    measure("blocks", blockProgram(100'000, BlockForm::exported));
    return 0;
}

const Benchmark kBenchmark{"search_bench", run};

} // namespace sunder::search_bench
