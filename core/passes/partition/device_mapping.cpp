#include "passes/partition/device_mapping.h"

#include "analysis/training/backward_tags.h"
#include "passes/partition/open_partition.h"
#include "passes/partition/partition_costs.h"
#include "support/format.h"
#include "support/memory_text.h"

#include <algorithm>
#include <numeric>
#include <utility>

// Memory that equal devices need to hold a model evenly: the default for users who have not specified devices. Bisects for the
// least memory at which next-fit filling succeeds on the given number of devices. The count can rise with the memory, but rarely
// does; the returned size has always been tested.

namespace sunder {
namespace {

/// Returns the number of devices of `bytes` each that the calls fill; more than `most` if it is exceeded or a call does not fit.
std::uint32_t devicesNeeded(const Graph& graph, const NodeSizes& sizes, std::uint64_t bytes, std::uint32_t most)
{
    OpenPartition filling(graph, sizes);
    std::uint32_t devices = 1;
    std::uint64_t left = bytes;
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        std::uint64_t need = filling.need(id);
        if (need > left) {
            if (++devices > most)
                return devices;
            filling.open();
            left = bytes;
            need = filling.need(id);
            if (need > left)
                return most + 1;
        }
        filling.add(id);
        left -= need;
    }
    return devices;
}

std::uint64_t roundedUp(std::uint64_t bytes)
{
    std::uint64_t unit = 1;
    while (bytes / unit >= 1000)
        unit *= 10;
    return (bytes + unit - 1) / unit * unit;
}

/// Returns the device index of each tag; the forward and backward tags of a stage share one. −1: tag without calls.
std::vector<std::int64_t> placesOfTags(const TagAssignment& tags, const std::vector<std::size_t>& calls)
{
    const std::vector<std::int32_t> forward = forwardTags(tags.order);
    std::vector<std::int64_t> places(tags.order.size(), -1);
    std::int64_t next = 0;
    const auto isWithForward = [&](std::size_t tag) {
        return forward[tag] >= 0 && calls[static_cast<std::size_t>(forward[tag])] > 0;
    };
    for (std::size_t tag = 0; tag < places.size(); ++tag)
        if (calls[tag] > 0 && !isWithForward(tag))
            places[tag] = next++;
    for (std::size_t tag = 0; tag < places.size(); ++tag)
        if (calls[tag] > 0 && isWithForward(tag))
            places[tag] = places[static_cast<std::size_t>(forward[tag])];
    return places;
}

} // namespace

Result<std::uint64_t> evenDeviceBytes(const Program& program, std::uint32_t count, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    const auto nodes = graph.nodes();
    if (count < 2 || std::none_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph[id].isCall(); }))
        return fail(ErrorCode::refused, "nothing to distribute: at least two devices and a graph with ops are needed");
    SUNDER_TRY(const NodeSizes sizes, nodeSizes(program));
    SUNDER_TRY(const std::uint64_t whole, wholeBytes(program, sizes));
    std::uint64_t tooSmall = whole / count > 0 ? whole / count - 1 : 0;
    std::uint64_t enough = whole > 0 ? whole - 1 : 0; // the whole model would fit on one device
    if (devicesNeeded(graph, sizes, enough, count) > count)
        return fail(ErrorCode::refused,
                    "the model cannot be distributed over " + formatCount(count)
                        + " equal devices: in each cut, one device needs as much as the whole model, " + formatBytes(whole));
    while (enough - tooSmall > 1) {
        SUNDER_PROPAGATE(monitor.check());
        const std::uint64_t middle = tooSmall + (enough - tooSmall) / 2;
        (devicesNeeded(graph, sizes, middle, count) > count ? tooSmall : enough) = middle;
    }
    const std::uint64_t round = roundedUp(enough);
    return round < whole && devicesNeeded(graph, sizes, round, count) <= count ? round : enough;
}

Result<void> putTagsOnDevices(const Graph& graph, const TagAssignment& tags, PartitionerConfig& config)
{
    std::vector<std::int64_t> partitionOf(tags.order.size(), -1); // tags without calls have no partition
    std::vector<std::size_t> calls(tags.order.size(), 0);
    std::size_t untagged = 0;
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        const std::int32_t tag = tags[id];
        if (tag < 0)
            ++untagged;
        else
            ++calls[static_cast<std::size_t>(tag)];
    }
    if (untagged > 0)
        return fail(ErrorCode::refused,
                    formatCount(untagged, "op") + (untagged == 1 ? " has" : " have")
                        + " no tag; tag all ops first or choose another method");
    std::int64_t partitions = 0;
    for (std::size_t tag = 0; tag < calls.size(); ++tag)
        if (calls[tag] > 0)
            partitionOf[tag] = partitions++;
    const std::vector<std::int64_t> placeOf = placesOfTags(tags, calls);
    const std::int64_t places = placeOf.empty() ? 0 : *std::ranges::max_element(placeOf) + 1;
    if (static_cast<std::size_t>(places) > config.devices.size())
        return fail(ErrorCode::refused,
                    formatCount(static_cast<std::uint64_t>(places), places == partitions ? "tag" : "stage") + " but only "
                        + formatCount(config.devices.size(), "device") + "; add devices or merge tags");
    config.nodeToPartition.clear();
    config.partitionToDevices.clear();
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall())
            config.nodeToPartition.emplace_back(graph[id].name, partitionOf[static_cast<std::size_t>(tags[id])]);
    for (std::size_t tag = 0; tag < placeOf.size(); ++tag)
        if (partitionOf[tag] >= 0)
            config.partitionToDevices.push_back(
                {partitionOf[tag], {config.devices[static_cast<std::size_t>(placeOf[tag])].logicalId}});
    return {};
}

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
    : m_problem(problem), m_nodes(problem.graph.idBound()), m_memories(problem.sizes.memory.bytes.size()),
      m_own(problem.graph.idBound()), m_ownMemories(problem.sizes.memory.bytes)
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
        for (const std::uint32_t memory : m_problem.sizes.reads.of(id))
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
        for (const std::uint32_t memory : m_problem.sizes.reads.of(id))
            if (!m_memories.has(memory, device))
                bytes += m_ownMemories.add(memory);
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
    return fail(ErrorCode::refused,
                "no device has room for partition " + std::to_string(unmapped.partition)
                    + (name.empty() ? std::string() : ", which starts at " + name) + ": it needs "
                    + bytesBeside(unmapped.needed, unmapped.remaining) + " there (alone " + need.pieces
                    + "), but the device with the most room has only " + bytesBeside(unmapped.remaining, unmapped.needed)
                    + (problem.asUpstream && unmapped.needed == unmapped.remaining ? " left, which PyTorch considers too little"
                                                                                   : " left")
                    + "; add devices or memory" + need.otherwise,
                {.node = name});
}

std::string bytesBeside(double bytes, double other)
{
    const auto whole = [](double figure) { return static_cast<std::uint64_t>(std::clamp(figure, 0.0, 9e18)); };
    return formatBytesBeside(whole(bytes), whole(other));
}

} // namespace sunder
