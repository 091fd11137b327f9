// Times the recomputation in the window after a brush stroke: the whole check with problems and priced repairs, the report alone, and
// a check from scratch.
//
//     legality_bench [--tags K] [--strokes N] [--devices] MODEL …
//
// Strokes paint single ops, a few ops, or some hundreds of adjacent ops, mostly near a boundary. The initial tags are consecutive
// stages. One stroke in three is undone by the next.
#include "analysis/stages.h"
#include "benchmark.h"
#include "io/model_file.h"
#include "tagging/tag_check.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace sunder::legality_bench {

namespace {

struct Asked {
    std::uint32_t tags = 20;
    int strokes = 1000;
    bool devices = false;
};

class Times {
public:
    template <typename Work>
    void measure(const Work& work)
    {
        const auto start = std::chrono::steady_clock::now();
        work();
        m_times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    void print(const char* what)
    {
        std::ranges::sort(m_times);
        std::printf("  %-28s p50 %7.3f ms  p95 %7.3f ms  max %7.3f ms\n", what, m_times[m_times.size() / 2],
                    m_times[m_times.size() * 95 / 100], m_times.back());
    }

private:
    std::vector<double> m_times;
};

/// Returns a stroke starting at `at`: one op, a few, or many.
std::vector<TagChange> strokeOf(std::mt19937& random, const LegalityTables& tables, std::uint32_t tags)
{
    const unsigned size = static_cast<unsigned>(random() % 10);
    const std::uint32_t count = size < 6 ? 1 : size < 9 ? 8 : 300;
    const auto at = static_cast<std::uint32_t>(random() % tables.callCount());
    const auto tag = random() % 15 == 0 ? -1 : static_cast<std::int32_t>(random() % tags);
    std::vector<TagChange> changes;
    for (std::uint32_t call = at; call < std::min(at + count, tables.callCount()); ++call)
        changes.emplace_back(tables.nodes[call], tag);
    return changes;
}

int measure(const char* path, const Asked& asked)
{
    Result<Program> program = readModel(path);
    if (!program) {
        std::fprintf(stderr, "%s: %s\n", path, program.error().message.c_str());
        return 1;
    }
    const Snapshot snapshot(std::move(*program));
    TagAssignment tags = *consecutiveStages(snapshot.program, asked.tags);
    Times tables;
    LegalityStatePtr state;
    tables.measure([&] { state = legalityOf(snapshot, tags); });
    DeviceQuestion question;
    if (asked.devices)
        for (std::uint32_t i = 0; i < asked.tags; ++i)
            question.devices.push_back({.name = "d" + std::to_string(i), .availableBytes = 1e12, .logicalId = i});
    question.graph = std::make_shared<const CutGraph>(cutGraph(snapshot.program));
    std::mt19937 random(1);
    Times all;
    Times reports;
    Times scratch;
    std::size_t problems = 0;
    std::vector<TagChange> undo;
    for (int stroke = 0; stroke < asked.strokes; ++stroke) {
        std::vector<TagChange> changes = stroke % 3 == 2 ? std::move(undo) : strokeOf(random, state->tables(), asked.tags);
        undo.clear();
        for (const auto& [id, tag] : changes)
            undo.emplace_back(id, tags[id]);
        for (const auto& [id, tag] : changes)
            tags.tagOf[id.index()] = tag;
        all.measure([&] { problems += checkOf(snapshot, tags, {.activeTag = 0}, question, state).problems.size(); });
        state->retag(undo);
        state->retag(changes);
        reports.measure([&] { problems += state->report().backward.size(); });
        if (stroke % 20 == 0)
            scratch.measure([&] { problems += checkTags(snapshot.program, tags).backward.size(); });
        if (stroke % 60 == 59) // start over before the tags are too mixed
            tags = *consecutiveStages(snapshot.program, asked.tags);
    }
    std::printf("%s: %u calls, %u tags, %d strokes, %.1f problems each%s\n", path, state->tables().callCount(), asked.tags,
                asked.strokes, static_cast<double>(problems) / asked.strokes, asked.devices ? ", devices" : "");
    all.print("check, problems, repairs");
    reports.print("report alone");
    scratch.print("report from scratch");
    tables.print("tables, once a model");
    return 0;
}

} // namespace

int run(int argc, char** argv)
{
    Asked asked;
    int status = 0;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--tags") == 0 && i + 1 < argc)
            asked.tags = static_cast<std::uint32_t>(std::atoi(argv[++i]));
        else if (std::strcmp(argv[i], "--strokes") == 0 && i + 1 < argc)
            asked.strokes = std::atoi(argv[++i]);
        else if (std::strcmp(argv[i], "--devices") == 0)
            asked.devices = true;
        else
            status = std::max(status, measure(argv[i], asked));
    }
    return status;
}

const Benchmark kBenchmark{"legality_bench", run};

} // namespace sunder::legality_bench
