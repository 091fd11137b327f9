// torch.fx's current partitioner: the steps common to all modes. Checks, the one-partition case, the mode, replicas, numbering, a
// check against device limits, and the split. Each mode has its own file.

#include "passes/partition/accelerator_partitioner.h"

#include "passes/partition/apply_partition_set.h"
#include "passes/partition/open_partition.h"
#include "passes/partition/partition_costs.h"
#include "passes/partition/partition_problem.h"

#include <algorithm>

namespace sunder {
namespace {

Result<void> checkRequest(const Graph& graph, const PartitionerConfig& config)
{
    if (config.devices.empty())
        return fail(ErrorCode::refused, "no devices to partition over; specify at least one");
    const auto nodes = graph.nodes();
    if (std::none_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph[id].isCall(); }))
        return fail(ErrorCode::refused, "nothing to partition: the graph has no ops");
    return {};
}

Result<std::vector<std::optional<NodeLatency>>> latencies(const Graph& graph, const PartitionerConfig& config)
{
    std::vector<std::optional<NodeLatency>> latencyOf(graph.idBound());
    if (config.latencies.empty())
        return latencyOf;
    const NodeIndex index(graph);
    for (const auto& [name, latency] : config.latencies) {
        const NodeId id = index.find(name);
        if (!id)
            return fail(ErrorCode::refused, "unknown node " + name.str() + " in node_to_latency", {.node = name.str()});
        latencyOf[id.index()] = latency;
    }
    return latencyOf;
}

/// torch derives sizes from one tensor per node, and fails on a node without one.
Result<void> checkTensors(const Program& program, const NodeSizes& sizes)
{
    if (sizes.fromFile)
        return {};
    const Graph& graph = program.rootGraph();
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (node.op == Op::output)
            break;
        if (!node.meta.val || !node.meta.val->is(ArgumentKind::tensor))
            return fail(ErrorCode::refused,
                        node.name.str()
                            + " is not known to be a tensor, but PyTorch's partitioner supports only tensors; "
                              "leave out --as-upstream, or set size_bytes",
                        {.node = node.name.str()});
    }
    return {};
}

Partitioning onePartition(const PartitionProblem& problem, std::uint64_t whole, const Device& device)
{
    UnnumberedPartition all{
        .nodes = {}, .usedBytes = whole, .devices = {device.logicalId}, .origin = {.kind = PartitionOrigin::Kind::whole}};
    for (const NodeId id : problem.graph.nodes())
        if (problem.graph[id].op != Op::output)
            all.nodes.push_back(id);
    Partitioning result;
    result.partitions.push_back(std::move(all));
    return result;
}

Result<Partitioning> byMode(const PartitionProblem& problem)
{
    switch (problem.config.mode) {
    case PartitionMode::sizeBased: return partitionBySize(problem);
    case PartitionMode::sparseNn: return partitionSparseNn(problem);
    case PartitionMode::costAware: return partitionCostAware(problem);
    case PartitionMode::klBased: return partitionKernighanLin(problem);
    case PartitionMode::aotBased: break;
    }
    return partitionAheadOfTime(problem);
}

Result<Partitioning> decide(const PartitionProblem& problem, std::uint64_t whole)
{
    if (problem.config.mode == PartitionMode::aotBased)
        return partitionAheadOfTime(problem);
    const std::vector<Device>& devices = problem.config.devices;
    const Device& largest = *std::max_element(
        devices.begin(), devices.end(), [](const Device& a, const Device& b) { return a.availableBytes < b.availableBytes; });
    if (static_cast<double>(whole) <= largest.availableBytes)
        return onePartition(problem, whole, largest);
    double available = 0;
    for (const Device& device : devices)
        available += device.availableBytes;
    if (static_cast<double>(whole) > available) {
        const ExplainedNeed need = explainNeed(problem.program, problem.sizes);
        return fail(ErrorCode::refused,
                    "the model needs " + bytesBeside(static_cast<double>(whole), available) + " by PyTorch's count ("
                        + need.pieces + "), but the devices have only " + bytesBeside(available, static_cast<double>(whole))
                        + " in total; add devices or memory" + need.otherwise);
    }
    return byMode(problem);
}

/// Converts the result of a mode to a set; `indexOf` receives the new index of each partition.
PartitionSet numbered(const PartitionProblem& problem, Partitioning partitioning, std::vector<std::uint32_t>& indexOf)
{
    const std::size_t count = partitioning.partitions.size();
    PartitionSet set = numberPartitions(problem.graph, std::move(partitioning.partitions), &indexOf);
    for (std::size_t i = 0; i < count; ++i)
        set.partitions[indexOf[i]].id = partitioning.ids.empty() ? static_cast<std::int64_t>(i) : partitioning.ids[i];
    if (!partitioning.splitInto.empty())
        for (const NodeId id : problem.graph.nodes())
            if (problem.graph[id].isCall())
                set.partitionOf[id.index()] = indexOf[partitioning.splitInto[id.index()]];
    return set;
}

/// Adds latencies to the report if the request has the necessary data.
void addLatencies(const PartitionProblem& problem, PartitionResult& result)
{
    PartitionLatency latency(problem);
    if (problem.config.latencies.empty() || problem.config.transferBytesPerSecond == 0 || !latency.checkComplete())
        return;
    std::vector<UnnumberedPartition> partitions;
    PartitionLinks links;
    for (const Partition& partition : result.set.partitions) {
        result.latencies.push_back(latency.ofPartition(partition.nodes));
        partitions.push_back({.nodes = partition.nodes, .usedBytes = partition.usedBytes, .devices = partition.devices});
        links.parents.push_back(partition.parents);
        links.children.push_back(partition.children);
    }
    if (const Result<double> graph = latency.ofGraph(partitions, links, result.latencies); graph)
        result.graphLatency = *graph;
}

} // namespace

Result<PartitionResult> acceleratorPartition(const Program& source, const PartitionerConfig& config,
                                             const PartitionTodayOptions& options, ProgressMonitor& monitor)
{
    const Graph& graph = source.rootGraph();
    SUNDER_PROPAGATE(checkRequest(graph, config));
    SUNDER_TRY(const NodeSizes sizes, nodeSizes(source));
    SUNDER_PROPAGATE(options.asUpstream ? checkTensors(source, sizes) : Result<void>());
    SUNDER_TRY(const std::uint64_t whole, wholeBytes(source, sizes));
    SUNDER_TRY(std::vector<std::optional<NodeLatency>> latencyOf, latencies(graph, config));
    const PartitionProblem problem{source, graph, sizes, config, std::move(latencyOf), options.asUpstream, monitor};
    SUNDER_TRY(Partitioning partitioning, decide(problem, whole));
    if (config.saturateHost)
        SUNDER_PROPAGATE(saturateHost(problem, partitioning));
    std::vector<std::uint32_t> listed;
    PartitionSet set = numbered(problem, std::move(partitioning), listed);
    if (!options.asUpstream)
        SUNDER_PROPAGATE(checkPartitionSet(source, sizes, set, config.devices, monitor));
    Result<PartitionResult> result = applyPartitionSet(
        source, std::move(set), options.asUpstream ? DagRule::byListedId : DagRule::byPart, listed, monitor);
    if (result)
        addLatencies(problem, *result);
    return result;
}

} // namespace sunder
