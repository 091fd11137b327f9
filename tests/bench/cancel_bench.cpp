// Measures how long cancellation can take: cancel_bench MODEL [STEP …]. Runs the steps of sunder-cli and of the window on a
// model. For each step it prints the processor time, the longest stretches between two cancellation checks with the last reported
// progress, and the longest processor time after a cancel. Each step is canceled at eight moments; the time runs until the step
// has ended and released its memory. The last line is the longest of all. The limit for people is 200 ms.
#include "analysis/cut/cut_graph.h"
#include "analysis/snapshot.h"
#include "analysis/stages.h"
#include "benchmark.h"
#include "io/fx_json/fx_json_writer.h"
#include "io/model_file.h"
#include "layout/picture/first_sight.h"
#include "parts/export_parts.h"
#include "passes/deduplicate/deduplicate.h"
#include "passes/partition/size_based_partitioner.h"
#include "passes/regions/find_regions.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/unflatten/unflatten.h"
#include "verify/verify.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace sunder::cancel_bench {

namespace {

constexpr std::size_t kShown = 3;
constexpr std::size_t kMoments = 8;

double threadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Records the longest stretches between two cancellation checks.
class GapMonitor final : public ProgressMonitor {
public:
    /// Cancels from check number `stopAt` on.
    explicit GapMonitor(std::size_t stopAt = std::numeric_limits<std::size_t>::max()) : m_stopAt(stopAt) {}
    void report(double fraction, std::string_view what) override
    {
        m_fraction = fraction;
        m_what = what;
    }
    [[nodiscard]] bool isCancelled() const override
    {
        const double now = threadSeconds();
        m_gaps.push_back({now - m_last, m_fraction, m_what});
        std::ranges::sort(m_gaps, std::greater<>(), &Gap::seconds);
        m_gaps.resize(std::min(m_gaps.size(), kShown));
        m_last = threadSeconds();
        if (m_questions++ == m_stopAt)
            m_stopped = m_last;
        return m_questions > m_stopAt;
    }
    [[nodiscard]] std::size_t questions() const { return m_questions; }
    [[nodiscard]] double longest() const { return m_gaps.empty() ? 0.0 : m_gaps.front().seconds; }
    /// Processor time since the cancellation.
    [[nodiscard]] double sinceStopped() const { return m_stopped > 0 ? threadSeconds() - m_stopped : 0.0; }
    void print(const char* step) const
    {
        static_cast<void>(isCancelled());
        std::printf("%-14s %7.2f s, %9zu questions, longest without:", step, threadSeconds() - m_start, m_questions);
        for (const Gap& gap : m_gaps)
            std::printf("  %.0f ms (after %.2f %s)", gap.seconds * 1e3, gap.fraction, gap.what.c_str());
    }

private:
    struct Gap {
        double seconds;
        double fraction;
        std::string what;
    };
    double m_fraction = 0;
    std::string m_what;
    double m_start = threadSeconds();
    mutable double m_last = threadSeconds();
    mutable std::vector<Gap> m_gaps;
    mutable std::size_t m_questions = 0;
    std::size_t m_stopAt;
    mutable double m_stopped = 0;
};

template <typename T>
T checked(const char* step, Result<T> made)
{
    if (made)
        return std::move(*made);
    std::fprintf(stderr, "%s: %s\n", step, describe(made.error()).c_str());
    std::exit(1);
}

class Steps {
private:
    [[nodiscard]] bool isWanted(const char* name) const
    {
        return m_wanted.empty() || std::ranges::find(m_wanted, name) != m_wanted.end();
    }

    template <typename Work>
    auto step(const char* name, const Work& work)
    {
        measure(name, work);
        GapMonitor monitor;
        return checked(name, work(monitor));
    }

    template <typename Work>
    void measure(const char* name, const Work& work)
    {
        if (!isWanted(name))
            return;
        GapMonitor whole;
        {
            const auto made = work(whole);
            whole.print(name);
            if (!made)
                std::printf("  (failed)");
        }
        double burnt = 0;
        for (std::size_t moment = 0; moment < kMoments; ++moment) {
            GapMonitor stopped(whole.questions() * (2 * moment + 1) / (2 * kMoments));
            static_cast<void>(work(stopped));
            burnt = std::max(burnt, stopped.sinceStopped());
        }
        std::printf("; stopped, it ran on for %.0f ms\n", burnt * 1e3);
        std::fflush(stdout);
        if (whole.longest() > m_longest)
            m_longestIn = name;
        m_longest = std::max(m_longest, whole.longest());
    }

public:
    Steps(std::vector<std::string> wanted, std::string folder) : m_wanted(std::move(wanted)), m_folder(std::move(folder)) {}

    void run(const std::string& model)
    {
        Program program = step("read", [&](ProgressMonitor& monitor) { return readModel(model, {}, monitor); });
        measure("snapshot", [&](ProgressMonitor& monitor) { return Snapshot::build(program, monitor); });
        const TagAssignment tags = step("stages", [&](ProgressMonitor& monitor) {
            return consecutiveStages(program, 4, StageMeasure::bytes, BackwardTags::follow, monitor);
        });
        measureViews(program);
        const SplitResult split = step("split",
                                       [&](ProgressMonitor& monitor) { return splitByTags(program, tags, {}, monitor); });
        measure("verify", [&](ProgressMonitor& monitor) { return verifyResult(program, split.program, monitor); });
        measure("partition", [&](ProgressMonitor& monitor) {
            const std::vector<Device> devices(4, {.name = "dev", .availableBytes = 1e11});
            return sizeBasedPartition(program, devices, {}, monitor);
        });
        measure("unflatten", [&](ProgressMonitor& monitor) { return unflatten(program, {}, monitor); });
        measure("regions", [&](ProgressMonitor& monitor) { return findRegions(program, {}, monitor); });
        measure("dedup", [&](ProgressMonitor& monitor) { return ProvableDedup(program, {}).attempt(monitor); });
        measure("write fx-json", [&](ProgressMonitor& monitor) { return writeFxJson(program, m_folder + "/out.fxj", monitor); });
        measure("parts", [&](ProgressMonitor& monitor) {
            return exportParts(program, split, m_folder + "/parts", {.proof = Proof::proven}, monitor);
        });
        std::printf("longest of all: %.0f ms in %s\n", m_longest * 1e3, m_longestIn.c_str());
    }

private:
    void measureViews(const Program& program)
    {
        const auto engine = makeLayeredEngine();
        measure("first sight", [&](ProgressMonitor& monitor) { return firstSight(program, program.root, {}, *engine, monitor); });
        measure("cut", [&](ProgressMonitor& monitor) { return cutGraph(program, monitor); });
    }

    std::vector<std::string> m_wanted;
    std::string m_folder;
    double m_longest = 0;
    std::string m_longestIn;
};

} // namespace

int run(int argc, char** argv)
{
    if (argc < 2)
        return std::fprintf(stderr, "usage: cancel_bench MODEL [STEP ...]\n"), 2;
    const std::string model = argv[1];
    const std::filesystem::path folder = std::filesystem::path(model).parent_path() / "cancel_bench";
    std::filesystem::create_directories(folder);
    Steps({argv + 2, argv + argc}, folder.string()).run(model);
    std::filesystem::remove_all(folder);
    return 0;
}

const Benchmark kBenchmark{"cancel_bench", run};

} // namespace sunder::cancel_bench
