#include "analysis/alignment/carried_tags.h"
#include "benchmark.h"
#include "block_program.h"
#include "io/model_file.h"
#include "io/side_files/identity_file.h"

#include <chrono>
#include <cstdio>

namespace sunder::alignment_bench {

namespace {

double milliseconds(const auto& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Measures how long it takes to compute the identity of a graph, to write and read it, and to match the ops of another graph.
void measure(const std::string& title, const Program& before, const Program& after)
{
    GraphIdentity old;
    GraphIdentity now;
    const double noting = milliseconds([&] { old = identityOf(before); });
    now = identityOf(after);
    std::string text;
    const double writing = milliseconds([&] { text = identityText(old); });
    const double reading = milliseconds([&] { (void)parseIdentity(text, "identity"); });
    GraphAlignment alignment;
    const double aligning = milliseconds([&] { alignment = *alignGraphs(old, now, ProgressMonitor::none()); });
    const std::vector<std::int32_t> tags(old.nodes.size(), 0);
    CarriedTags carried;
    const double carrying = milliseconds([&] { carried = carriedTags(now, alignment, tags); });
    std::printf(
        "%s: %zu nodes, then %zu\n  note %.1f ms, write %.1f ms (%zu kB), read %.1f ms, align %.1f ms, carry %.1f ms\n  %s\n",
        title.c_str(), old.nodes.size(), now.nodes.size(), noting, writing, text.size() / 1000, reading, aligning, carrying,
        summaryOf(carried, alignment).c_str());
}

} // namespace

int run(int argc, char** argv)
{
    for (int i = 2; i < argc; i += 2) {
        const Result<Program> before = readModel(argv[i - 1]);
        const Result<Program> after = readModel(argv[i]);
        if (before && after)
            measure(std::string(argv[i - 1]) + " and " + argv[i], *before, *after);
    }
    for (const std::size_t calls : {std::size_t{10'000}, std::size_t{100'000}}) {
        const Program blocks = blockProgram(calls, BlockForm::exported);
        measure("the same blocks", blocks, blocks);
        measure("a block more", blocks, blockProgram(calls + 10, BlockForm::exported));
        const Program flat = blockProgram(calls, BlockForm::attributes);
        measure("without modules, a block more", flat, blockProgram(calls + 10, BlockForm::attributes));
    }
    return 0;
}

const Benchmark kBenchmark{"alignment_bench", run};

} // namespace sunder::alignment_bench
