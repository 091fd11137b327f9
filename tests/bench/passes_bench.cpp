// Times every pass on graphs of repeated blocks, each in its own process, and measures peak memory.
//
//     passes_bench [--nodes N …] [--model FILE] [--passes NAME …] [--repeat R] [--tags FILE] [--config FILE] [--support FILE]
//     [--as-upstream] [--json]
//
// With --model the passes run on that file, which is read once; --tags gives the tags to split by, --config the configuration of
// partition_today, --support the operators of support. Prints the best of several runs (wall time, processor time, processor time per node), the processor time of
// the first run, and peak memory with the memory before the pass. Results are freed before the clock of the next run starts.
#include "analysis/stages.h"
#include "analysis/tag_legality.h"
#include "benchmark.h"
#include "block_program.h"
#include "io/model_file.h"
#include "io/side_files/partitioner_files.h"
#include "io/side_files/support_files.h"
#include "io/side_files/tags_file.h"
#include "passes/deduplicate/deduplicate.h"
#include "passes/move_non_tensor/move_non_tensor.h"
#include "passes/partition/accelerator_partitioner.h"
#include "passes/partition/size_based_partitioner.h"
#include "passes/regions/find_regions.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/split_module/split_module.h"
#include "passes/support/support_report.h"
#include "passes/unflatten/unflatten.h"
#include "verify/verify.h"

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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::passes_bench {

namespace {

constexpr std::uint32_t kParts = 8;

struct Request {
    std::vector<std::size_t> sizes = {};
    std::vector<std::string> names = {};
    std::string model = {};
    std::string tags = {};
    std::string config = {};
    std::string support = {};
    bool asUpstream = false;
    bool asJson = false;
    int repeat = 3;
};

/// Input of a pass.
struct Input {
    const Program& program;
    const Request& request;
};

/// Runs a pass and returns its result, or a null pointer on failure. Freeing the result is not timed.
using Run = std::function<std::shared_ptr<void>()>;

template <typename Pass>
Run timing(const Pass& pass)
{
    return [pass]() -> std::shared_ptr<void> {
        auto made = std::make_shared<decltype(pass())>(pass());
        return *made ? made : nullptr;
    };
}

/// Returns the value or exits; the benchmark cannot continue without it.
template <typename T>
T valueOf(Result<T> made)
{
    if (!made) {
        std::fprintf(stderr, "passes_bench: %s\n", made.error().message.c_str());
        std::exit(1);
    }
    return std::move(*made);
}

TagAssignment stagesOf(const Input& input)
{
    if (input.request.tags.empty())
        return valueOf(consecutiveStages(input.program, kParts));
    const TagsFile file = valueOf(readTagsFile(input.request.tags));
    return assignTags(input.program.rootGraph(), file.order, file.tags);
}

Run splitPass(const Input& input)
{
    return timing([input, tags = stagesOf(input)] { return splitByTags(input.program, tags); });
}

Run checkPass(const Input& input)
{
    return timing([input, tags = stagesOf(input)] { return checkTags(input.program, tags).isLegal(); });
}

Run splitModulePass(const Input& input)
{
    const Program& program = input.program;
    const TagAssignment tags = stagesOf(input);
    PartitionAssignment partitions;
    for (std::size_t i = 0; i < tags.order.size(); ++i)
        partitions.ids.push_back(PartitionId{.text = intern(std::to_string(i)), .number = i});
    partitions.partitionOf.assign(program.rootGraph().idBound(), PartitionAssignment::kNone);
    for (const NodeId id : program.rootGraph().nodes())
        if (tags[id] >= 0)
            partitions.partitionOf[id.index()] = static_cast<std::uint32_t>(tags[id]);
    return timing([input, partitions] { return splitModule(input.program, partitions); });
}

std::vector<Device> devicesFor(const Program& program)
{
    const double bytes = 4 * 4 * 16 * static_cast<double>(program.rootGraph().size());
    std::vector<Device> devices;
    for (std::uint32_t i = 0; i < kParts; ++i)
        devices.push_back({.name = "dev" + std::to_string(i), .availableBytes = bytes / kParts * 2, .logicalId = i});
    return devices;
}

Run sizeBasedPass(const Input& input)
{
    return timing([input, devices = devicesFor(input.program)] {
        return sizeBasedPartition(input.program, devices, {.exact = input.request.asUpstream});
    });
}

Run acceleratorPass(const Input& input)
{
    PartitionerConfig config;
    if (input.request.config.empty())
        config.devices = devicesFor(input.program);
    else
        config = valueOf(readPartitionerConfig(input.request.config));
    return timing(
        [input, config] { return acceleratorPartition(input.program, config, {.asUpstream = input.request.asUpstream}); });
}

Run movePass(const Input& input)
{
    const Graph& graph = input.program.rootGraph();
    const TagAssignment tags = stagesOf(input);
    std::vector<NodeSubgraph> subgraphs(tags.order.size());
    for (const NodeId id : graph.nodes())
        if (tags[id] >= 0)
            subgraphs[static_cast<std::size_t>(tags[id])].nodes.push_back(id);
    for (std::size_t i = 0; i < subgraphs.size(); i += 2)
        subgraphs[i].isAcc = true;
    return timing([&graph, subgraphs] { return moveNonTensorNodes(graph, subgraphs); });
}

Run verifyPass(const Input& input)
{
    auto split = std::make_shared<SplitResult>(valueOf(splitByTags(input.program, stagesOf(input))));
    return timing([input, split] {
        const Result<VerifyReport> report = verifyResult(input.program, split->program);
        return report && report->verdict == Verdict::same;
    });
}

Run unflattenPass(const Input& input)
{
    return timing([input] { return unflatten(input.program, {.asUpstream = input.request.asUpstream}); });
}

Run regionsPass(const Input& input)
{
    return timing([input] { return findRegions(input.program, {.key = {}, .asUpstream = input.request.asUpstream}); });
}

Run dedupPass(const Input& input)
{
    return timing([input] { return deduplicate(input.program, {.asUpstream = input.request.asUpstream}); });
}

/// What the pass reads, built once.
struct SupportInput {
    SupportInput(const Program& program, const SupportRules& rules) : graph(program), supported(program, rules) {}
    SupportGraph graph;
    SupportedOps supported;
};

/// Without --support, everything but torch.tanh and torch.cat.
SupportRules supportOf(const Request& request)
{
    if (!request.support.empty())
        return valueOf(readSupportFile(request.support));
    SupportRules rules;
    for (const char* name : {"torch.mul", "torch.add", "torch.relu", "torch.split", "_operator.getitem"})
        rules.supported.push_back(intern(name));
    return rules;
}

template <SupportMethod method>
Run supportPass(const Input& input)
{
    return timing([input, rules = supportOf(input.request)] {
        const SupportInput read(input.program, rules);
        return supportParts(read.graph, read.supported, {.method = method, .asUpstream = input.request.asUpstream});
    });
}

/// The table of operators to support next.
template <SupportMethod method>
Run supportNextPass(const Input& input)
{
    return timing([input, rules = supportOf(input.request)] {
        const SupportInput read(input.program, rules);
        return supportNext(read.graph, read.supported, {.method = method}, kSupportSteps);
    });
}

struct Pass {
    std::string_view name;
    BlockForm form;
    Run (*prepare)(const Input& input);
};

constexpr Pass kPasses[] = {
    {"check_tags", BlockForm::attributes, checkPass},
    {"split_by_tags", BlockForm::attributes, splitPass},
    {"split_by_tags, exported", BlockForm::exported, splitPass},
    {"split_module", BlockForm::attributes, splitModulePass},
    {"move_non_tensor", BlockForm::attributes, movePass},
    {"partition_2020", BlockForm::attributes, sizeBasedPass},
    {"partition_today", BlockForm::attributes, acceleratorPass},
    {"unflatten", BlockForm::exported, unflattenPass},
    {"regions", BlockForm::exported, regionsPass},
    {"dedup", BlockForm::exported, dedupPass},
    {"verify", BlockForm::attributes, verifyPass},
    {"support", BlockForm::attributes, supportPass<SupportMethod::capability>},
    {"support_splitter", BlockForm::attributes, supportPass<SupportMethod::splitter>},
    {"support_next", BlockForm::attributes, supportNextPass<SupportMethod::capability>},
    {"support_next_splitter", BlockForm::attributes, supportNextPass<SupportMethod::splitter>},
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

struct Times {
    double wall = 1e300;
    double processor = 1e300;
    double first = 0; ///< processor time of the first run
};

/// Returns nothing if the pass fails.
std::optional<Times> timesOf(const Run& run, int repeat)
{
    Times times;
    for (int i = 0; i < repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const double used = processorSeconds();
        const std::shared_ptr<void> made = run();
        const double processor = processorSeconds() - used;
        const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (!made)
            return std::nullopt;
        times.processor = std::min(times.processor, processor);
        times.wall = std::min(times.wall, wall);
        times.first = i == 0 ? processor : times.first;
    }
    return times;
}

void measure(const Pass& pass, const Program& program, const Request& request)
{
    const Run run = pass.prepare({program, request});
    const double before = peakMegabytes();
    const std::optional<Times> times = timesOf(run, request.repeat);
    const auto nodes = static_cast<double>(program.rootGraph().size());
    const std::string name(pass.name);
    if (!times)
        std::printf("%-24s %9.0f nodes: failed\n", name.c_str(), nodes);
    else if (request.asJson)
        std::printf("{\"pass\":\"%s\",\"nodes\":%.0f,\"wall\":%.9f,\"processor\":%.9f,\"first\":%.9f}\n", name.c_str(), nodes,
                    times->wall, times->processor, times->first);
    else
        std::printf("%-24s %9.0f nodes: %9.2f ms, processor %9.2f ms (%6.0f ns a node), first run %9.2f ms; "
                    "peak %7.1f MB, %7.1f MB before\n",
                    name.c_str(), nodes, times->wall * 1e3, times->processor * 1e3, times->processor / nodes * 1e9,
                    times->first * 1e3, peakMegabytes(), before);
}

/// Measures in a child process, so that the peak belongs to this pass and memory is as unfragmented as after a normal start.
template <typename Make>
void measureApart(const Pass& pass, const Request& request, const Make& make)
{
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const Program program = make();
        measure(pass, program, request);
        std::fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        std::printf("%-24s ended early\n", std::string(pass.name).c_str());
}

Request requestOf(int argc, char** argv)
{
    Request request;
    std::string_view option;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word.starts_with("--"))
            option = word;
        if (word == "--as-upstream")
            request.asUpstream = true;
        else if (word == "--json")
            request.asJson = true;
        else if (word == option)
            continue;
        else if (option == "--nodes")
            request.sizes.push_back(std::strtoull(argv[i], nullptr, 10));
        else if (option == "--passes")
            request.names.emplace_back(word);
        else if (option == "--model")
            request.model = word;
        else if (option == "--tags")
            request.tags = word;
        else if (option == "--config")
            request.config = word;
        else if (option == "--support")
            request.support = word;
        else if (option == "--repeat")
            request.repeat = std::max(1, std::atoi(argv[i]));
    }
    if (request.sizes.empty())
        request.sizes = {1000, 10'000, 100'000, 1'000'000};
    return request;
}

} // namespace

int run(int argc, char** argv)
{
    const Request request = requestOf(argc, argv);
    for (const Pass& pass : kPasses) {
        if (!request.names.empty() && std::ranges::find(request.names, pass.name) == request.names.end())
            continue;
        if (!request.model.empty()) {
            measureApart(pass, request, [&] { return valueOf(readModel(request.model)); });
            continue;
        }
        for (const std::size_t calls : request.sizes)
            measureApart(pass, request, [&] { return blockProgram(calls, pass.form); });
    }
    return 0;
}

const Benchmark kBenchmark{"passes_bench", run};

} // namespace sunder::passes_bench
