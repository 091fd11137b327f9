// PyTorch's current aot_based mode: the request assigns each call to a partition, and each partition to devices. PyTorch never checks
// memory. It also looks up the recorded bytes and devices by partition number in a list ordered by first appearance, which is
// correct only for numbers 0, 1, 2 … in that order. By default, any numbers are valid, every call must be assigned, and exceeding
// a device's memory is an error.

#include "passes/partition/partition_costs.h"
#include "passes/partition/partition_problem.h"

#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

class AheadOfTime {
public:
    explicit AheadOfTime(const PartitionProblem& problem) : m_problem(problem), m_index(problem.graph) {}

    Result<Partitioning> run()
    {
        for (const auto& [name, id] : m_problem.config.nodeToPartition)
            SUNDER_PROPAGATE(add(name, id));
        SUNDER_PROPAGATE(checkComplete());
        SUNDER_PROPAGATE(checkDevices());
        PartitionAccount account(m_problem.graph, m_problem.sizes);
        for (UnnumberedPartition& partition : m_result.partitions) {
            for (const NodeId id : partition.nodes)
                if (m_problem.sizes.known[id.index()] == 0)
                    return unknownSize(m_problem.program, m_problem.sizes, id);
            partition.usedBytes = account.used(partition.nodes);
        }
        return std::move(m_result);
    }

private:
    Result<void> add(InternedString name, std::int64_t id)
    {
        const NodeId node = m_index.find(name);
        if (!node)
            return fail(ErrorCode::refused, "unknown node " + name.str() + " in node_to_partition", {.node = name.str()});
        const auto known = m_partitionOfId.emplace(id, m_result.partitions.size());
        if (known.second) {
            SUNDER_TRY(const std::vector<std::int64_t> devices, devicesOf(id));
            m_result.partitions.push_back({.nodes = {}, .devices = devices});
            m_result.ids.push_back(id);
            m_members.emplace_back();
        }
        std::vector<NodeId>& nodes = m_result.partitions[known.first->second].nodes;
        const auto insert = [&](NodeId member) {
            if (m_members[known.first->second].insert(member).second)
                nodes.push_back(member);
        };
        for (const NodeId input : m_problem.graph.inputs(node))
            if (!m_problem.graph[input].isCall())
                insert(input);
        if (m_problem.graph[node].op != Op::output)
            insert(node);
        return {};
    }

    [[nodiscard]] Result<std::vector<std::int64_t>> devicesOf(std::int64_t id) const
    {
        for (const auto& [partition, devices] : m_problem.config.partitionToDevices) {
            if (partition != id)
                continue;
            for (const std::int64_t device : devices)
                if (!m_problem.asUpstream && !isKnown(device))
                    return fail(ErrorCode::refused,
                                "partition " + std::to_string(id) + " is assigned to the unknown device "
                                    + std::to_string(device));
            return devices;
        }
        return fail(ErrorCode::refused, "partition_to_logical_devices has no entry for partition " + std::to_string(id));
    }

    /// An entry for an unused partition, or a device listed twice, is probably a typo.
    [[nodiscard]] Result<void> checkDevices() const
    {
        if (m_problem.asUpstream)
            return {};
        for (const auto& [partition, devices] : m_problem.config.partitionToDevices) {
            if (!m_partitionOfId.contains(partition))
                return fail(ErrorCode::refused,
                            "partition_to_logical_devices has an entry for partition " + std::to_string(partition)
                                + ", but node_to_partition assigns no node to it");
            std::unordered_set<std::int64_t> seen;
            for (const std::int64_t device : devices)
                if (!seen.insert(device).second)
                    return fail(ErrorCode::refused,
                                "partition " + std::to_string(partition) + " is assigned to device " + std::to_string(device)
                                    + " twice");
        }
        return {};
    }

    [[nodiscard]] bool isKnown(std::int64_t logicalId) const
    {
        for (const Device& device : m_problem.config.devices)
            if (device.logicalId == logicalId)
                return true;
        return false;
    }

    [[nodiscard]] Result<void> checkComplete() const
    {
        std::vector<char> isPlaced(m_problem.graph.idBound(), 0);
        for (const UnnumberedPartition& partition : m_result.partitions)
            for (const NodeId id : partition.nodes)
                isPlaced[id.index()] = 1;
        for (const NodeId id : m_problem.graph.nodes())
            if (m_problem.graph[id].isCall() && isPlaced[id.index()] == 0) {
                const std::string name = m_problem.graph[id].name.str();
                return fail(ErrorCode::refused, "node_to_partition has no entry for " + name + "; assign it a partition",
                            {.node = name});
            }
        return {};
    }

    const PartitionProblem& m_problem;
    NodeIndex m_index;
    Partitioning m_result;
    std::unordered_map<std::int64_t, std::size_t> m_partitionOfId;
    std::vector<std::unordered_set<NodeId>> m_members;
};

} // namespace

Result<Partitioning> partitionAheadOfTime(const PartitionProblem& problem)
{
    return AheadOfTime(problem).run();
}

} // namespace sunder
