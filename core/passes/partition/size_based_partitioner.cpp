// The size-based partitioner of 2020.
//
// Packs calls in graph order by next fit, then greedily joins small partitions of adjacent levels. It is fast and predictable,
// but ignores compute time and transfers between devices. A value from outside the partition is counted once per consumer, so
// partitions may have unused room. The method is the original's; `oracle/partition_reference.py`, which is not part of
// this repository, defines it and its faulty steps. Linear, since tables replace set searches for members, links and partners.

#include "passes/partition/size_based_partitioner.h"

#include "passes/partition/apply_partition_set.h"
#include "passes/partition/merge_partitions.h"
#include "passes/partition/open_partition.h"
#include "passes/partition/partition_costs.h"
#include "passes/partition/partition_links.h"
#include "passes/partition/partition_problem.h"
#include "support/format.h"
#include "support/memory_text.h"
#include "support/progress_monitor.h"

#include <algorithm>

namespace sunder {
namespace {

tl::unexpected<Error> tooLarge(const Node& node, std::uint64_t need, std::uint64_t own, double device)
{
    const std::string name = node.name.str();
    const std::string what = need == own ? "" : " (" + formatBytes(own) + " of its own, the rest for its inputs)";
    return fail(ErrorCode::refused,
                name + " needs " + bytesBeside(static_cast<double>(need), device) + what + ", but a device has only "
                    + bytesBeside(device, static_cast<double>(need)) + "; use devices of at least " + formatBytesAtLeast(need),
                {.node = name});
}

/// Step 2 of the method: members and bytes of each partition, in closing order.
struct Packed {
    std::vector<std::vector<NodeId>> members;
    std::vector<std::uint64_t> used;
    std::vector<PartitionOrigin> origins;
};

Result<Packed> pack(const Program& source, const NodeSizes& sizes, double deviceBytes, bool exact, ProgressMonitor& monitor)
{
    const Graph& graph = source.rootGraph();
    OpenPartition partition(graph, sizes);
    StepMonitor steps(monitor);
    std::vector<std::uint64_t> used = {0};
    std::vector<PartitionOrigin> origins = {{.kind = PartitionOrigin::Kind::filled}};
    for (const NodeId id : graph.nodes()) {
        SUNDER_PROPAGATE(steps.step());
        if (!graph[id].isCall())
            continue;
        if (const NodeId missing = partition.unsized(id); missing)
            return unknownSize(source, sizes, missing);
        std::uint64_t need = partition.need(id);
        if (static_cast<double>(used.back() + need) > deviceBytes) {
            origins.back().next = id;
            origins.back().nextBytes = need;
            origins.back().leftBytes = deviceBytes - static_cast<double>(used.back());
            origins.push_back({.kind = PartitionOrigin::Kind::filled});
            partition.open();
            used.push_back(0);
            if (!exact)
                need = partition.need(id);
            if (static_cast<double>(need) > deviceBytes)
                return tooLarge(graph[id], need, sizes.own[id.index()], deviceBytes);
        }
        partition.add(id);
        used.back() += need;
    }
    return Packed{std::move(partition.members()), std::move(used), std::move(origins)};
}

Result<MergedPartitions> merge(const Graph& graph, Packed& packed, double deviceBytes, bool exact, ProgressMonitor& monitor)
{
    PartitionLinks links = partitionLinks(graph, packed.members);
    if (exact)
        return mergePartitionsAs2020(std::move(links), std::move(packed.used), deviceBytes, monitor);
    return mergePartitions(std::move(links), std::move(packed.used), deviceBytes, monitor);
}

Result<PartitionSet> onePartition(const Program& source, std::uint64_t whole)
{
    std::vector<UnnumberedPartition> partitions(1);
    bool behindOutput = false;
    for (const NodeId id : source.rootGraph().nodes()) {
        const Node& node = source.rootGraph()[id];
        behindOutput = behindOutput || node.op == Op::output;
        if (node.isCall() || (!behindOutput && node.op != Op::output))
            partitions[0].nodes.push_back(id);
    }
    partitions[0].usedBytes = whole;
    partitions[0].origin.kind = PartitionOrigin::Kind::whole;
    return numberPartitions(source.rootGraph(), std::move(partitions));
}

Result<PartitionSet> severalPartitions(const Program& source, const NodeSizes& sizes, std::size_t devices, double deviceBytes,
                                       bool exact, ProgressMonitor& monitor)
{
    const Graph& graph = source.rootGraph();
    SUNDER_TRY(Packed packed, pack(source, sizes, deviceBytes, exact, monitor));
    monitor.report(0.3, "merging small partitions");
    SUNDER_TRY(const MergedPartitions merged, merge(graph, packed, deviceBytes, exact, monitor));
    SUNDER_PROPAGATE(monitor.check());
    if (merged.usedBytes.size() > devices)
        return fail(ErrorCode::refused,
                    "the model needs " + formatCount(merged.usedBytes.size(), "partition") + " of at most "
                        + bytesBeside(deviceBytes, deviceBytes) + ", but there " + (devices == 1 ? "is" : "are") + " only "
                        + formatCount(devices, "device") + "; add devices or memory");
    std::vector<UnnumberedPartition> partitions(merged.usedBytes.size());
    for (std::size_t i = 0; i < packed.members.size(); ++i) {
        std::vector<NodeId>& nodes = partitions[merged.groupOf[i]].nodes;
        PartitionOrigin& origin = partitions[merged.groupOf[i]].origin;
        packed.origins[i].joined = nodes.empty() ? 1 : origin.joined + 1;
        origin = std::move(packed.origins[i]); // of the last joined partition
        nodes.insert(nodes.end(), packed.members[i].begin(), packed.members[i].end());
    }
    for (std::size_t i = 0; i < partitions.size(); ++i)
        partitions[i].usedBytes = merged.usedBytes[i];
    return numberPartitions(graph, std::move(partitions));
}

Result<void> checkRequest(const Program& source, std::span<const Device> devices)
{
    if (devices.empty())
        return fail(ErrorCode::refused, "no devices to partition over; specify at least one");
    const Graph& graph = source.rootGraph();
    const auto nodes = graph.nodes();
    if (std::none_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph[id].isCall(); }))
        return fail(ErrorCode::refused, "nothing to partition: the graph has no ops");
    return {};
}

Result<PartitionSet> compute(const Program& source, const NodeSizes& sizes, std::span<const Device> devices, bool exact,
                             ProgressMonitor& monitor)
{
    SUNDER_TRY(const std::uint64_t whole, wholeBytes(source, sizes));
    const double deviceBytes = devices[0].availableBytes;
    if (static_cast<double>(whole) <= deviceBytes)
        return onePartition(source, whole);
    const double all = static_cast<double>(devices.size()) * deviceBytes;
    if (static_cast<double>(whole) > all) {
        const ExplainedNeed need = explainNeed(source, sizes);
        return fail(ErrorCode::refused,
                    "the model needs " + bytesBeside(static_cast<double>(whole), all) + " by PyTorch's count (" + need.pieces
                        + "), but " + formatCount(devices.size(), "device") + " of " + bytesBeside(deviceBytes, deviceBytes)
                        + " have only " + bytesBeside(all, static_cast<double>(whole)) + " in total; add devices or memory"
                        + need.otherwise);
    }
    for (const Device& device : devices)
        if (device.availableBytes != deviceBytes)
            return fail(ErrorCode::refused,
                        describe(device) + " has " + bytesBeside(device.availableBytes, deviceBytes) + ", but the first has "
                            + bytesBeside(deviceBytes, device.availableBytes)
                            + "; this partitioner needs devices of equal memory; "
                              "use --config with mode size_based for unequal ones");
    return severalPartitions(source, sizes, devices.size(), deviceBytes, exact, monitor);
}

} // namespace

Result<PartitionResult> sizeBasedPartition(const Program& source, std::span<const Device> devices,
                                           const SizeBasedOptions& options, ProgressMonitor& monitor)
{
    SUNDER_PROPAGATE(checkRequest(source, devices));
    SUNDER_TRY(const NodeSizes sizes, nodeSizes(source, monitor));
    SUNDER_PROPAGATE(monitor.check());
    SUNDER_TRY(PartitionSet set, compute(source, sizes, devices, options.exact, monitor));
    SUNDER_PROPAGATE(monitor.check());
    for (std::size_t i = 0; i < set.partitions.size(); ++i)
        set.partitions[i].devices = {devices[i].logicalId};
    if (!options.exact)
        SUNDER_PROPAGATE(checkPartitionSet(source, sizes, set, devices, monitor));
    return applyPartitionSet(source, std::move(set), DagRule::byPart, {}, monitor);
}

} // namespace sunder
