// Times every pass on graphs of repeated blocks, each in a process of its own, with the memory that it needs at most.
//
//     passes_bench [--nodes N …] [--passes NAME …] [--repeat R]
//
// Prints the best of several runs: wall time, time of the processor, the latter by node, and peak memory beside that of
// the process before the pass.
#include "analysis/stages.h"
#include "analysis/tag_legality.h"
#include "block_program.h"
#include "passes/deduplicate/deduplicate.h"
#include "passes/move_non_tensor/move_non_tensor.h"
#include "passes/partition/partition_2020.h"
#include "passes/partition/partition_today.h"
#include "passes/regions/find_regions.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/split_module/split_module.h"
#include "passes/unflatten/unflatten.h"
#include "passes/verify_result.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace sunder;

namespace {

constexpr std::uint32_t kParts = 8;

/// A pass, ready to run: says whether it succeeded, and keeps its result so that taking it apart is not timed.
using Run = std::function<bool()>;

/// Keeps the last result of a pass and throws the one before away, outside of the clock.
template <typename Made, typename Pass>
Run keeping(const Pass& pass)
{
    return [pass, kept = std::make_shared<Made>()] {
        *kept = pass();
        return kept->has_value();
    };
}

TagAssignment stagesOf(const Program& program)
{
    return *consecutiveStages(program, kParts);
}

Run splitPass(const Program& program)
{
    return keeping<Result<SplitResult>>([&program, tags = stagesOf(program)] { return splitByTags(program, tags); });
}

Run checkPass(const Program& program)
{
    return [&program, tags = stagesOf(program)] { return checkTags(program, tags).isLegal(); };
}

Run splitModulePass(const Program& program)
{
    const TagAssignment tags = stagesOf(program);
    PartitionAssignment partitions;
    for (std::uint32_t i = 0; i < kParts; ++i)
        partitions.ids.push_back(PartitionId{.text = intern(std::to_string(i))});
    partitions.partitionOf.assign(program.rootGraph().idBound(), PartitionAssignment::kNone);
    for (const NodeId id : program.rootGraph().nodes())
        if (tags[id] >= 0)
            partitions.partitionOf[id.index()] = static_cast<std::uint32_t>(tags[id]);
    return keeping<Result<SplitResult>>([&program, partitions] { return splitModule(program, partitions); });
}

std::vector<Device> devicesFor(const Program& program)
{
    const double bytes = 4 * 4 * 16 * static_cast<double>(program.rootGraph().size());
    std::vector<Device> devices;
    for (std::uint32_t i = 0; i < kParts; ++i)
        devices.push_back({.name = "dev" + std::to_string(i), .availableBytes = bytes / kParts * 2, .logicalId = i});
    return devices;
}

Run partition2020Pass(const Program& program)
{
    return keeping<Result<PartitionResult>>(
        [&program, devices = devicesFor(program)] { return partition2020(program, devices); });
}

Run partitionTodayPass(const Program& program)
{
    PartitionerConfig config;
    config.devices = devicesFor(program);
    return keeping<Result<PartitionResult>>([&program, config] { return partitionToday(program, config); });
}

Run movePass(const Program& program)
{
    const TagAssignment tags = stagesOf(program);
    std::vector<NodeSubgraph> subgraphs(kParts);
    for (const NodeId id : program.rootGraph().nodes())
        if (tags[id] >= 0)
            subgraphs[static_cast<std::size_t>(tags[id])].nodes.push_back(id);
    for (std::size_t i = 0; i < kParts; i += 2)
        subgraphs[i].isAcc = true;
    return keeping<Result<MoveNonTensorResult>>(
        [&program, subgraphs] { return moveNonTensorNodes(program.rootGraph(), subgraphs); });
}

Run verifyPass(const Program& program)
{
    auto split = std::make_shared<Result<SplitResult>>(splitByTags(program, stagesOf(program)));
    return [&program, split] {
        const Result<VerifyReport> report = verifyResult(program, (*split)->program);
        return report && report->verdict == Verdict::same;
    };
}

Run unflattenPass(const Program& program)
{
    return keeping<Result<UnflattenResult>>([&program] { return unflatten(program); });
}

Run regionsPass(const Program& program)
{
    return keeping<Result<RegionResult>>([&program] { return findRegions(program); });
}

Run dedupPass(const Program& program)
{
    return keeping<Result<DedupResult>>([&program] { return deduplicate(program); });
}

struct Pass {
    std::string_view name;
    BlockForm form;
    Run (*prepare)(const Program& program);
};

constexpr Pass kPasses[] = {
    {"check_tags", BlockForm::attributes, checkPass},
    {"split_by_tags", BlockForm::attributes, splitPass},
    {"split_by_tags, exported", BlockForm::exported, splitPass},
    {"split_module", BlockForm::attributes, splitModulePass},
    {"move_non_tensor", BlockForm::attributes, movePass},
    {"partition_2020", BlockForm::attributes, partition2020Pass},
    {"partition_today", BlockForm::attributes, partitionTodayPass},
    {"unflatten", BlockForm::exported, unflattenPass},
    {"regions", BlockForm::exported, regionsPass},
    {"dedup", BlockForm::exported, dedupPass},
    {"verify", BlockForm::attributes, verifyPass},
};

double processorSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double peakMegabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void measure(const Pass& pass, std::size_t calls, int repeat)
{
    const Program program = blockProgram(calls, pass.form);
    const Run run = pass.prepare(program);
    const double before = peakMegabytes();
    double wall = 1e300;
    double processor = 1e300;
    for (int i = 0; i < repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const double used = processorSeconds();
        if (!run()) {
            std::printf("%-24s %9zu nodes: failed\n", std::string(pass.name).c_str(), program.rootGraph().size());
            return;
        }
        processor = std::min(processor, processorSeconds() - used);
        wall = std::min(wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    const auto nodes = static_cast<double>(program.rootGraph().size());
    std::printf("%-24s %9.0f nodes: %9.2f ms, processor %9.2f ms (%6.0f ns a node); peak %7.1f MB, %7.1f MB before\n",
                std::string(pass.name).c_str(), nodes, wall * 1e3, processor * 1e3, processor / nodes * 1e9, peakMegabytes(),
                before);
}

/// In a child, so that the peak is that of this pass and memory is as fresh as in a program that does one thing.
void measureApart(const Pass& pass, std::size_t calls, int repeat)
{
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        measure(pass, calls, repeat);
        std::fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        std::printf("%-24s %9zu calls: ended early\n", std::string(pass.name).c_str(), calls);
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<std::size_t> sizes;
    std::vector<std::string_view> names;
    int repeat = 3;
    std::string_view option;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word.starts_with("--"))
            option = word;
        else if (option == "--nodes")
            sizes.push_back(std::strtoull(argv[i], nullptr, 10));
        else if (option == "--passes")
            names.push_back(word);
        else if (option == "--repeat")
            repeat = std::atoi(argv[i]);
    }
    if (sizes.empty())
        sizes = {1000, 10'000, 100'000, 1'000'000};
    for (const Pass& pass : kPasses)
        if (names.empty() || std::find(names.begin(), names.end(), pass.name) != names.end())
            for (const std::size_t calls : sizes)
                measureApart(pass, calls, repeat);
    return 0;
}
