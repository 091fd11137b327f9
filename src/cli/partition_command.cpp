#include "analysis/cut/cut_metrics.h"
#include "analysis/cut/part_assignment.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/pass_switches.h"
#include "cli/split_outputs.h"
#include "io/side_files/devices_file.h"
#include "io/side_files/figure_basis.h"
#include "io/side_files/partitioner_files.h"
#include "io/sympy/size_assumptions.h"
#include "passes/partition/accelerator_partitioner.h"
#include "passes/partition/partition_reasons.h"
#include "passes/partition/partition_set.h"
#include "passes/partition/size_based_partitioner.h"
#include "support/file.h"
#include "support/format.h"
#include "support/result.h"

#include <algorithm>
#include <ranges>
#include <span>
#include <string>
#include <unordered_map>

namespace sunder::cli {
namespace {

/// Writes the members of a partition.
void write(const Graph& graph, const Partition& partition, std::size_t index, JsonWriter& json)
{
    json.member("id", index);
    json.member("submodule", submoduleOf(partition));
    json.key("nodes");
    json.list(partition.nodes, [&](NodeId id) { json.value(graph[id].name.view()); });
    json.member("used_mem_bytes", partition.usedBytes);
    json.member("logical_device_ids", partition.devices);
    json.member("parents", partition.parents);
    json.member("children", partition.children);
}

void writeNodes(const Graph& graph, const PartitionSet& set, JsonWriter& json)
{
    std::vector<std::vector<std::uint32_t>> of(graph.idBound());
    for (std::uint32_t p = 0; p < set.partitions.size(); ++p)
        for (const NodeId id : set.partitions[p].nodes)
            of[id.index()].push_back(p);
    json.key("node_to_partitions");
    json.object([&] {
        for (const NodeId id : graph.nodes())
            json.memberIfAny(graph[id].name.view(), of[id.index()]);
    });
}

/// Writes a RESULT.json (format: `docs/command-line.md`): partitions with nodes, bytes, and devices, the partitions of each node,
/// and latencies if known. Atomic.
Result<void> writePartitionResult(const Program& source, const PartitionResult& result, const std::string& path)
{
    constexpr std::size_t kLineDepth = 2;
    const Graph& graph = source.rootGraph();
    const std::vector<Partition>& partitions = result.set.partitions;
    JsonWriter json(kLineDepth);
    json.object([&] {
        json.key("partitions");
        json.list(std::views::iota(std::size_t{0}, partitions.size()),
                  [&](std::size_t i) { json.object([&] { write(graph, partitions[i], i, json); }); });
        writeNodes(graph, result.set, json);
        if (result.graphLatency) {
            json.key("latency");
            json.object([&] {
                json.member("partitions", result.latencies);
                json.member("graph", *result.graphLatency);
            });
        }
        write(basisOfPartitions(source), json);
    });
    return writeFileAtomically(path, json.take());
}

/// Writes `cut`, `partitions` (`submodule`, `why`), and `devices` (`logical_id`, `why`).
void write(const AllReasons& reasons, const PartitionSet& set, std::span<const Device> devices, JsonWriter& json)
{
    json.member("cut", reasons.cut);
    json.key("partitions");
    json.list(std::views::iota(std::size_t{0}, set.partitions.size()), [&](std::size_t i) {
        json.object([&] {
            json.member("submodule", submoduleOf(set.partitions[i]));
            json.member("why", reasons.parts[i]);
        });
    });
    json.key("devices");
    json.list(std::views::iota(std::size_t{0}, devices.size()), [&](std::size_t i) {
        json.object([&] {
            json.member("logical_id", devices[i].logicalId);
            json.member("why", reasons.devices[i]);
        });
    });
}

/// Adds one line per partition (name, calls, memory, devices) and the reasons for the cut; in JSON, `reasons` also contains those
/// of each partition and device.
void sayPartitions(const Program& source, const PartitionResult& result, std::span<const Device> devices, Outcome& outcome)
{
    const Graph& graph = source.rootGraph();
    const CutMetrics metrics = cutMetrics(cutGraph(source, MemoryRule::freesDead),
                                          partAssignment(source, result.split.program, result.split.map));
    std::unordered_map<InternedString, std::uint64_t> peakOf;
    for (const PartMetrics& part : metrics.parts)
        peakOf.emplace(part.name, part.sizes.usedBytes());
    for (const Partition& partition : result.set.partitions) {
        const auto peak = peakOf.find(intern(submoduleOf(partition)));
        const auto calls = std::count_if(partition.nodes.begin(), partition.nodes.end(),
                                         [&](NodeId id) { return graph[id].isCall(); });
        std::string line = submoduleOf(partition) + ": " + formatCount(static_cast<std::uint64_t>(calls), "op")
            + (peak == peakOf.end() ? "" : ", peak " + formatBytes(peak->second)) + ", PyTorch counts "
            + formatBytes(partition.usedBytes);
        for (std::size_t i = 0; i < partition.devices.size(); ++i)
            line += (i == 0 ? ", device " : " and ") + std::to_string(partition.devices[i]);
        outcome.say(std::move(line));
    }
    outcome.say("Peak: values are freed after their last use. PyTorch's count: no value is freed, and an input counts once per "
                "consumer.");
    const AllReasons reasons = allReasons(graph, result.set, devices);
    for (const std::string& sentence : reasons.cut)
        outcome.say(sentence);
    outcome.json.key("reasons");
    outcome.json.object([&] { write(reasons, result.set, devices, outcome.json); });
}

constexpr CommandOption kPartitionOptions[] = {
    {Takes::input, "devices", "DEVICES.json", "Devices of equal memory, for the first partitioner of torch.fx (2020)."},
    {Takes::input, "config", "CONFIG.json", "Configuration of the current accelerator partitioner: mode, devices, and tables."},
    {Takes::output, "result", "RESULT.json", "Write the partitions with their nodes, bytes, and devices."},
};

Result<void> checkRequest(const Invocation& invocation)
{
    const bool isOfProject = isProjectPath(invocation.files[0]) && !invocation.isSet("exact-2020");
    if (invocation.isSet("devices") == invocation.isSet("config") && (invocation.isSet("devices") || !isOfProject))
        return fail(ErrorCode::usage, "partition needs either --devices DEVICES.json or --config CONFIG.json");
    if (invocation.isSet("exact-2020") && !invocation.isSet("devices"))
        return fail(ErrorCode::usage, "--exact-2020 needs --devices; with --config, use --as-upstream");
    if (invocation.isSet("as-upstream") && invocation.isSet("devices"))
        return fail(ErrorCode::usage, "--as-upstream needs --config; with --devices, use --exact-2020");
    return checkSplitOutputs(invocation);
}

/// Returns the configuration in the file; for a project without --config, the default mode with its devices, as in the form of
/// the window.
Result<PartitionerConfig> configFor(const Invocation& invocation)
{
    if (invocation.isSet("config"))
        return readPartitionerConfig(invocation.value("config"));
    if (invocation.project.file->devices.empty())
        return fail(ErrorCode::refused,
                    "the project has no devices; partition needs --devices DEVICES.json or --config CONFIG.json");
    return PartitionerConfig{.devices = invocation.project.file->devices};
}

/// Runs the partitioner. Stores the devices it used in `over`.
Result<PartitionResult> partition(const Invocation& invocation, const Program& source, std::vector<Device>& over)
{
    if (invocation.isSet("devices")) {
        SUNDER_TRY(const std::vector<Device> devices, readDevicesFile(invocation.value("devices")));
        over = devices;
        return invocation.timer.measure("pass", [&] {
            return sizeBasedPartition(source, devices, givenOptions<SizeBasedOptions>(invocation), invocation.monitor);
        });
    }
    SUNDER_TRY(const PartitionerConfig config, configFor(invocation));
    over = config.devices;
    return invocation.timer.measure("pass", [&] {
        return acceleratorPartition(source, config, givenOptions<PartitionTodayOptions>(invocation), invocation.monitor);
    });
}

Result<Outcome> runPartition(const Invocation& invocation)
{
    SUNDER_PROPAGATE(checkRequest(invocation));
    SUNDER_TRY(const Program source, readInput(invocation, invocation.files[0]));
    std::vector<Device> devices;
    SUNDER_TRY(const PartitionResult result, partition(invocation, source, devices));
    Result<Outcome> outcome = deliverSplit(invocation, source, result.split, &result.dag);
    if (!outcome)
        return outcome;
    sayPartitions(source, result, devices, *outcome);
    if (const std::string apart = separateForwardBackward(trainingGraph(source), result.set); !apart.empty())
        outcome->note({apart});
    if (hasRecordedSizes(source) && !sizeAssumptions(source).empty())
        outcome->note({"bytes of partitions are sums of the node sizes in the file (size_bytes), independent of assumed sizes"});
    if (invocation.isSet("result")) {
        const std::string path = invocation.value("result");
        SUNDER_PROPAGATE(
            invocation.outputs.write(path, [&](const std::string& at) { return writePartitionResult(source, result, at); }));
        outcome->say("wrote " + path);
    }
    return outcome;
}

} // namespace

Command partitionCommand()
{
    return {"partition", "IN", "Split a model over devices by their memory.",
            joined({splitOutputs(), kPartitionOptions, passSwitches<SizeBasedOptions>(), passSwitches<PartitionTodayOptions>()}),
            runPartition};
}

} // namespace sunder::cli
