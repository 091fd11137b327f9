// Times the search for a balanced cut and compares its largest load with that of other ways to cut, as a table:
//
//     balance_bench [--stages K] [--limit SECONDS] [--blocks CALLS] MODEL …
//
// The devices are equal and those of the default cost model, without a memory limit. The last columns are largest loads divided by
// that of the balanced cut: stages of equal bytes, stages with equal numbers of ops, and the size-based partitioner of torch.fx on
// devices that hold 1.3 K-ths of the model ("-": it made more than K parts, or refused).
#include "analysis/cut/node_sizes.h"
#include "analysis/stages.h"
#include "benchmark.h"
#include "io/model_file.h"
#include "passes/balance/balance_program.h"
#include "passes/partition/size_based_partitioner.h"

#include "block_program.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace sunder::balance_bench {

namespace {

struct Request {
    std::uint32_t stages = 4;
    double limit = 10;
};

double processorSeconds()
{
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

/// Returns the largest load, divided by that of the plan, if each call is on the stage that `stageOf` returns for it. "-" if a call has none.
template <typename StageOf>
std::string ratio(const BalancePlan& plan, const StageOf& stageOf)
{
    std::vector<std::uint32_t> stages;
    for (const NodeId call : plan.calls) {
        const auto stage = static_cast<std::size_t>(stageOf(call));
        if (stage >= plan.result.deviceOf.size())
            return "-";
        stages.push_back(static_cast<std::uint32_t>(stage));
    }
    const double largest = largestLoad(balanceLoads(plan.problem, stages, plan.result.deviceOf));
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", largest / plan.result.load);
    return text;
}

std::string ratioOfStages(const Program& program, const BalancePlan& plan, std::uint32_t stages, StageMeasure measure)
{
    const Result<TagAssignment> tags = consecutiveStages(program, stages, measure);
    return tags ? ratio(plan, [&](NodeId call) { return (*tags)[call]; }) : "-";
}

std::string ratioOfPartitions(const Program& program, const BalancePlan& plan, std::uint32_t stages)
{
    const Result<NodeSizes> sizes = nodeSizes(program);
    const Result<std::uint64_t> whole = sizes ? wholeBytes(program, *sizes) : Result<std::uint64_t>(forward(sizes));
    if (!whole)
        return "-";
    std::vector<Device> devices(stages);
    for (std::uint32_t i = 0; i < stages; ++i)
        devices[i] = {.name = {}, .availableBytes = static_cast<double>(*whole) * 1.3 / stages, .logicalId = i};
    const Result<PartitionResult> result = sizeBasedPartition(program, devices);
    return result ? ratio(plan, [&](NodeId call) { return result->set.partitionOf[call.index()]; }) : "-";
}

int measure(const std::string& name, const Program& program, const Request& request)
{
    const double start = processorSeconds();
    const Result<BalancePlan> plan = balanceProgram(program, {.stages = request.stages, .timeLimit = request.limit});
    const double seconds = processorSeconds() - start;
    if (!plan) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), plan.error().message.c_str());
        return 1;
    }
    std::printf("| %s | %zu | %u | %.2f | %zu | %s | %s | %s | %s |\n", name.c_str(), plan->calls.size(), request.stages, seconds,
                plan->result.downSets, describeQuality(plan->result).c_str(),
                ratioOfStages(program, *plan, request.stages, StageMeasure::bytes).c_str(),
                ratioOfStages(program, *plan, request.stages, StageMeasure::nodes).c_str(),
                ratioOfPartitions(program, *plan, request.stages).c_str());
    std::fflush(stdout);
    return 0;
}

} // namespace

int run(int argc, char** argv)
{
    Request request;
    int failed = 0;
    std::printf("| model | calls | K | processor s | down-sets | balance | equal bytes | equal count | size-based |\n"
                "|---|--:|--:|--:|--:|---|--:|--:|--:|\n");
    for (int i = 1; i < argc; ++i) {
        const bool hasValue = i + 1 < argc;
        if (std::strcmp(argv[i], "--stages") == 0 && hasValue) {
            request.stages = static_cast<std::uint32_t>(std::strtoul(argv[++i], nullptr, 10));
        } else if (std::strcmp(argv[i], "--limit") == 0 && hasValue) {
            request.limit = std::strtod(argv[++i], nullptr);
        } else if (std::strcmp(argv[i], "--blocks") == 0 && hasValue) {
            const std::size_t calls = std::strtoul(argv[++i], nullptr, 10);
            failed |= measure("blocks", blockProgram(calls, BlockForm::exported), request);
        } else if (const Result<Program> program = readModel(argv[i]); program) {
            failed |= measure(std::string(argv[i]).substr(std::string(argv[i]).rfind('/') + 1), *program, request);
        } else {
            std::fprintf(stderr, "%s: %s\n", argv[i], program.error().message.c_str());
            failed = 1;
        }
    }
    return failed;
}

const Benchmark kBenchmark{"balance_bench", run};

} // namespace sunder::balance_bench
