#include "passes/partition/device_mapping.h"

#include "passes/partition/stamp_set.h"
#include "support/format.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace sunder {
namespace {

/// For each of many things the devices that it is on: few, so a list.
class Placements {
public:
    explicit Placements(std::size_t things) : m_devices(things) {}
    [[nodiscard]] bool has(std::uint32_t thing, std::uint32_t device) const
    {
        const std::vector<std::uint32_t>& devices = m_devices[thing];
        return std::find(devices.begin(), devices.end(), device) != devices.end();
    }
    void put(std::uint32_t thing, std::uint32_t device)
    {
        if (!has(thing, device))
            m_devices[thing].push_back(device);
    }

private:
    std::vector<std::vector<std::uint32_t>> m_devices;
};

class Mapper {
public:
    explicit Mapper(const PartitionProblem& problem)
        : m_problem(problem), m_nodes(problem.graph.idBound()), m_memories(problem.sizes.memoryBytes.size()),
          m_own(problem.graph.idBound()), m_ownMemories(problem.sizes.memoryBytes.size()),
          m_isUsed(problem.config.devices.size(), 0), m_order(problem.config.devices.size())
    {
        for (std::uint32_t d = 0; d < problem.config.devices.size(); ++d) {
            m_left.push_back(problem.config.devices[d].availableBytes);
            m_indexOf.emplace(problem.config.devices[d].logicalId, d);
        }
        std::iota(m_order.begin(), m_order.end(), 0U);
    }

    void take(const UnnumberedPartition& partition)
    {
        for (const std::int64_t id : partition.devices)
            if (const auto device = m_indexOf.find(id); device != m_indexOf.end()) {
                place(partition, device->second);
                m_left[device->second] -= static_cast<double>(partition.usedBytes);
            }
    }

    std::optional<Unmapped> map(UnnumberedPartition& partition, std::uint32_t index)
    {
        std::stable_sort(m_order.begin(), m_order.end(), [this](auto a, auto b) { return m_left[a] < m_left[b]; });
        std::optional<Unmapped> failure;
        for (const std::uint32_t device : m_order) {
            const auto extra = static_cast<double>(extraBytes(partition, device));
            if (m_problem.asUpstream ? extra < m_left[device] : extra <= m_left[device]) {
                place(partition, device);
                partition.devices.push_back(m_problem.config.devices[device].logicalId);
                m_left[device] -= extra;
                return std::nullopt;
            }
            failure = Unmapped{.partition = index, .needed = extra, .remaining = m_left[device]};
        }
        return failure ? failure : Unmapped{.partition = index, .needed = 0, .remaining = 0};
    }

private:
    void place(const UnnumberedPartition& partition, std::uint32_t device)
    {
        for (const NodeId id : partition.nodes) {
            m_isUsed[device] = 1;
            m_nodes.put(id.index(), device);
            for (const std::uint32_t memory : m_problem.sizes.memoriesOf(id))
                m_memories.put(memory, device);
        }
    }

    /// What the partition adds to a device: all that its nodes own, even where a placeholder is there already, the
    /// inputs that are neither there nor in the partition, and memories that are not there.
    std::uint64_t extraBytes(const UnnumberedPartition& partition, std::uint32_t device)
    {
        if (m_isUsed[device] == 0)
            return partition.usedBytes;
        m_own.clear();
        m_ownMemories.clear();
        for (const NodeId id : partition.nodes)
            m_own.insert(id.index());
        std::uint64_t bytes = 0;
        for (const NodeId id : partition.nodes) {
            bytes += m_problem.sizes.own[id.index()];
            for (const NodeId input : m_problem.graph.inputs(id))
                if (!m_own.contains(input.index()) && !m_nodes.has(input.index(), device))
                    bytes += m_problem.sizes.output[input.index()];
            for (const std::uint32_t memory : m_problem.sizes.memoriesOf(id))
                if (!m_memories.has(memory, device) && m_ownMemories.insert(memory))
                    bytes += m_problem.sizes.memoryBytes[memory];
        }
        return bytes;
    }

    const PartitionProblem& m_problem;
    Placements m_nodes;
    Placements m_memories;
    StampSet m_own;
    StampSet m_ownMemories;
    std::vector<char> m_isUsed;
    std::vector<double> m_left;
    std::vector<std::uint32_t> m_order; ///< devices as they were sorted last; ties keep that order, as torch's do
    std::unordered_map<std::int64_t, std::uint32_t> m_indexOf;
};

} // namespace

std::optional<Unmapped> mapToDevices(const PartitionProblem& problem, std::span<UnnumberedPartition> partitions)
{
    if (std::none_of(partitions.begin(), partitions.end(),
                     [](const auto& partition) { return partition.devices.empty(); }))
        return std::nullopt;
    Mapper mapper(problem);
    for (const UnnumberedPartition& partition : partitions)
        mapper.take(partition);
    for (std::uint32_t p = 0; p < partitions.size(); ++p)
        if (partitions[p].devices.empty())
            if (const std::optional<Unmapped> unmapped = mapper.map(partitions[p], p))
                return unmapped;
    return std::nullopt;
}

tl::unexpected<Error> noDeviceFor(const PartitionProblem& problem, std::span<const UnnumberedPartition> partitions,
                                  const Unmapped& unmapped)
{
    const std::vector<NodeId>& nodes = partitions[unmapped.partition].nodes;
    const auto call = std::find_if(nodes.begin(), nodes.end(), [&](NodeId id) { return problem.graph[id].isCall(); });
    const std::string name = call != nodes.end() ? problem.graph[*call].name.str() : std::string();
    return fail(ErrorCode::refused,
                "no device has room for partition " + std::to_string(unmapped.partition) +
                    (name.empty() ? std::string() : ", which begins at " + name) + ": it needs " +
                    exactBytes(unmapped.needed) + ", and the roomiest device has " + exactBytes(unmapped.remaining) +
                    (problem.asUpstream && unmapped.needed == unmapped.remaining
                         ? " left, which torch takes for too little"
                         : " left") +
                    "; give more devices, or more memory to one",
                {.node = name});
}

std::string exactBytes(double bytes)
{
    return bytes < 0 ? "0 B" : formatCount(static_cast<std::uint64_t>(std::min(bytes, 9e18))) + " B";
}

} // namespace sunder
