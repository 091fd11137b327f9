#include "passes/partition/device_mapping.h"

#include "passes/partition/partition_costs.h"

#include "support/memory_text.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sunder {
bool DeviceMapper::Placements::has(std::uint32_t thing, std::uint32_t device) const
{
    const std::vector<std::uint32_t>& devices = m_devices[thing];
    return m_round[thing] == m_now && std::ranges::find(devices, device) != devices.end();
}

void DeviceMapper::Placements::put(std::uint32_t thing, std::uint32_t device)
{
    if (std::exchange(m_round[thing], m_now) != m_now)
        m_devices[thing].clear();
    if (!has(thing, device))
        m_devices[thing].push_back(device);
}

DeviceMapper::DeviceMapper(const PartitionProblem& problem)
    : m_problem(problem), m_nodes(problem.graph.idBound()), m_memories(problem.sizes.memoryBytes.size()),
      m_own(problem.graph.idBound()), m_ownMemories(problem.sizes.memoryBytes.size())
{
    for (std::uint32_t d = 0; d < problem.config.devices.size(); ++d)
        m_indexOf.emplace(problem.config.devices[d].logicalId, d);
}

void DeviceMapper::clear()
{
    m_nodes.clear();
    m_memories.clear();
    m_left.clear();
    for (const Device& device : m_problem.config.devices)
        m_left.push_back(device.availableBytes);
    m_isUsed.assign(m_left.size(), 0);
    m_order.resize(m_left.size());
    std::iota(m_order.begin(), m_order.end(), 0U);
}

void DeviceMapper::take(const UnnumberedPartition& partition)
{
    for (const std::int64_t id : partition.devices)
        if (const auto device = m_indexOf.find(id); device != m_indexOf.end()) {
            place(partition, device->second);
            m_left[device->second] -= static_cast<double>(partition.usedBytes);
        }
}

void DeviceMapper::place(const UnnumberedPartition& partition, std::uint32_t device)
{
    for (const NodeId id : partition.nodes) {
        m_isUsed[device] = 1;
        m_nodes.put(id.index(), device);
        for (const std::uint32_t memory : m_problem.sizes.memoriesOf(id))
            m_memories.put(memory, device);
    }
}

/// Bytes that the current partition (m_own) adds to a device: all bytes that its nodes own, even for placeholders already there,
/// plus inputs and memories that are neither on the device nor in the partition.
std::uint64_t DeviceMapper::extraBytes(const UnnumberedPartition& partition, std::uint32_t device)
{
    if (m_isUsed[device] == 0)
        return partition.usedBytes;
    m_ownMemories.clear();
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

/// Moves the device at position `place`, which has less memory left than before, to its stably sorted position.
void DeviceMapper::sinkInOrder(std::size_t place)
{
    const auto at = m_order.begin() + static_cast<std::ptrdiff_t>(place);
    const auto to = std::upper_bound(m_order.begin(), at, m_left[*at],
                                     [this](double left, std::uint32_t device) { return left < m_left[device]; });
    std::rotate(to, at, at + 1);
}

std::optional<Unmapped> DeviceMapper::mapOne(UnnumberedPartition& partition, std::uint32_t index)
{
    m_own.clear();
    for (const NodeId id : partition.nodes)
        m_own.insert(id.index());
    Unmapped failure{.partition = index, .needed = 0, .remaining = 0};
    for (std::size_t i = 0; i < m_order.size(); ++i) {
        const std::uint32_t device = m_order[i];
        const auto extra = static_cast<double>(extraBytes(partition, device));
        if (m_problem.asUpstream ? extra < m_left[device] : extra <= m_left[device]) {
            place(partition, device);
            partition.devices.push_back(m_problem.config.devices[device].logicalId);
            m_left[device] -= extra;
            sinkInOrder(i);
            return std::nullopt;
        }
        failure = {.partition = index, .needed = extra, .remaining = m_left[device]};
    }
    return failure;
}

std::optional<Unmapped> DeviceMapper::map(std::span<UnnumberedPartition> partitions)
{
    const auto isUnmapped = [](const UnnumberedPartition& partition) { return partition.devices.empty(); };
    if (std::ranges::none_of(partitions, isUnmapped))
        return std::nullopt;
    clear();
    for (const UnnumberedPartition& partition : partitions)
        take(partition);
    std::ranges::stable_sort(m_order, {}, [this](std::uint32_t device) { return m_left[device]; });
    for (std::uint32_t p = 0; p < partitions.size(); ++p)
        if (isUnmapped(partitions[p]))
            if (const std::optional<Unmapped> unmapped = mapOne(partitions[p], p))
                return unmapped;
    return std::nullopt;
}

std::optional<Unmapped> mapToDevices(const PartitionProblem& problem, std::span<UnnumberedPartition> partitions)
{
    return DeviceMapper(problem).map(partitions);
}

tl::unexpected<Error> noDeviceFor(const PartitionProblem& problem, std::span<const UnnumberedPartition> partitions,
                                  const Unmapped& unmapped)
{
    const std::vector<NodeId>& nodes = partitions[unmapped.partition].nodes;
    const auto call = std::find_if(nodes.begin(), nodes.end(), [&](NodeId id) { return problem.graph[id].isCall(); });
    const std::string name = call != nodes.end() ? problem.graph[*call].name.str() : std::string();
    const ExplainedNeed need = explainNeed(problem.program, problem.sizes, nodes);
    return fail(
        ErrorCode::refused,
        "no device has room for partition " + std::to_string(unmapped.partition)
            + (name.empty() ? std::string() : ", which starts at " + name) + ": it needs "
            + bytesBeside(unmapped.needed, unmapped.remaining) + " there (alone " + need.pieces
            + "), but the device with the most room has only " + bytesBeside(unmapped.remaining, unmapped.needed)
            + (problem.asUpstream && unmapped.needed == unmapped.remaining ? " left, which torch considers too little" : " left")
            + "; add devices or memory" + need.otherwise,
        {.node = name});
}

std::string bytesBeside(double bytes, double other)
{
    const auto whole = [](double figure) { return static_cast<std::uint64_t>(std::clamp(figure, 0.0, 9e18)); };
    return formatBytesBeside(whole(bytes), whole(other));
}

} // namespace sunder
