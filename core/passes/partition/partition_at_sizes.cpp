#include "passes/partition/partition_at_sizes.h"

#include "analysis/cut/node_sizes.h"
#include "passes/partition/partition_account.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

bool isSameCut(const PartitionSet& a, const PartitionSet& b)
{
    const auto isSame = [](const Partition& one, const Partition& other) {
        return one.id == other.id && one.nodes == other.nodes && one.devices == other.devices;
    };
    return a.partitionOf == b.partitionOf && std::ranges::equal(a.partitions, b.partitions, isSame);
}

/// A record has the name of the partition that it calls.
void recordFigures(const PartitionSet& set, std::vector<PartitionDagNode>& dag)
{
    std::unordered_map<InternedString, std::uint64_t> bytesOf;
    for (const Partition& partition : set.partitions)
        bytesOf.emplace(intern(submoduleOf(partition)), partition.usedBytes);
    for (PartitionDagNode& record : dag)
        if (const auto found = bytesOf.find(record.submodule); found != bytesOf.end())
            record.usedBytes = found->second;
}

} // namespace

PartitionAtSizes takeFigures(const Program& source, Result<PartitionResult> again, PartitionSet& set,
                             std::vector<PartitionDagNode>& dag)
{
    if (again && isSameCut(again->set, set)) {
        set = std::move(again->set);
        dag = std::move(again->dag);
        return {};
    }
    const Result<NodeSizes> sizes = nodeSizes(source);
    if (sizes) {
        PartitionAccount account(source.rootGraph(), *sizes);
        for (Partition& partition : set.partitions)
            partition.usedBytes = account.used(partition.nodes);
        recordFigures(set, dag);
    }
    return {.isSameCut = false, .why = again ? std::string() : again.error().message};
}

} // namespace sunder
