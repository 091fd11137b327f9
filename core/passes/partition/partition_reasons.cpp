#include "passes/partition/partition_reasons.h"

#include "support/format.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

using OriginKind = PartitionOrigin::Kind;

std::string bytesText(double bytes)
{
    return formatBytes(static_cast<std::uint64_t>(std::clamp(bytes, 0.0, 9e18)));
}

class Reasons {
public:
    Reasons(const Graph& graph, const PartitionSet& set, std::span<const Device> devices)
        : m_graph(graph), m_set(set), m_devices(devices), m_partsOn(devices.size()), m_passedOverBy(devices.size())
    {
        for (std::size_t place = 0; place < devices.size(); ++place)
            m_placeOf.emplace(devices[place].logicalId, place);
        for (std::size_t p = 0; p < set.partitions.size(); ++p) {
            for (const std::int64_t id : set.partitions[p].devices)
                if (const auto at = m_placeOf.find(id); at != m_placeOf.end())
                    m_partsOn[at->second].push_back(p);
            for (const std::int64_t id : set.partitions[p].origin.passedOver)
                if (const auto at = m_placeOf.find(id); at != m_placeOf.end() && !m_passedOverBy[at->second])
                    m_passedOverBy[at->second] = p;
        }
    }

    [[nodiscard]] std::vector<std::string> ofCut() const
    {
        std::vector<std::string> lines;
        if (m_set.partitions.empty())
            return lines;
        method(lines);
        full(lines);
        idle(lines);
        return lines;
    }

    [[nodiscard]] std::string ofPart(std::size_t index) const
    {
        const Partition& partition = m_set.partitions[index];
        std::string text = begin(partition);
        if (partition.origin.kind == OriginKind::filled)
            text += partition.origin.next ? " It ends before " + end(partition) + "." : std::string(" It ends with the model.");
        if (partition.origin.joined > 1 && partition.origin.kind != OriginKind::latency)
            text += " It was merged from " + formatCount(partition.origin.joined, "part") + " that fit on one device.";
        if (partition.origin.exchanged.value_or(0) > 0)
            text += ' ' + formatCount(*partition.origin.exchanged, "op") + (*partition.origin.exchanged == 1 ? " was" : " were")
                + " moved here from other parts to lower the estimated latency.";
        if (partition.devices.size() > 1 && partition.origin.kind != OriginKind::given
            && partition.origin.kind != OriginKind::dense)
            text += " The other devices were idle and hold copies.";
        return text;
    }

    [[nodiscard]] std::string ofNode(NodeId id) const
    {
        const std::string name = m_graph[id].name.str();
        const std::vector<std::size_t> holders = partitionsWith(id);
        if (holders.empty())
            return {};
        if (!m_graph[id].isCall()) {
            std::vector<std::string> names;
            for (const std::size_t p : holders)
                names.push_back(submoduleOf(m_set.partitions[p]));
            return name + " is in each part that uses it: " + listed(names) + '.';
        }
        const Partition& partition = m_set.partitions[holders.front()];
        return name + " is in " + submoduleOf(partition) + ": " + whyCall(id, partition) + ' ' + ofPart(holders.front());
    }

    [[nodiscard]] std::string ofDevice(std::size_t place) const
    {
        constexpr std::size_t kMaxParts = 3;
        const std::vector<std::size_t>& parts = partsOn(place);
        if (parts.empty())
            return whyIdle(place);
        std::vector<std::string> names;
        for (const std::size_t p : parts)
            names.push_back(submoduleOf(m_set.partitions[p]));
        std::string text = deviceName(m_devices[place]) + " holds " + listed(names) + ": " + bytesText(bytesOn(place)) + " of "
            + bytesText(m_devices[place].availableBytes) + " by PyTorch's count.";
        if (const std::string load = tooMuch(place); !load.empty())
            text += ' ' + load;
        for (std::size_t i = 0; i < std::min(kMaxParts, parts.size()); ++i)
            text += ' ' + ofPart(parts[i]);
        return text;
    }

private:
    static std::string deviceName(const Device& device)
    {
        return device.name.empty() ? "device " + std::to_string(device.logicalId) : device.name;
    }

    [[nodiscard]] std::string deviceName(std::int64_t logicalId) const
    {
        const auto at = m_placeOf.find(logicalId);
        return at != m_placeOf.end() ? deviceName(m_devices[at->second]) : "device " + std::to_string(logicalId);
    }

    [[nodiscard]] std::string devicesOf(const Partition& partition) const
    {
        std::vector<std::string> names;
        for (const std::int64_t id : partition.devices)
            names.push_back(deviceName(id));
        return names.empty() ? std::string("no device") : listed(names);
    }

    /// e.g. "a, b and 3 more"
    static std::string listed(const std::vector<std::string>& names) { return listed(names, names.size()); }

    /// Lists `count` names; `names` contains at least the first few.
    static std::string listed(const std::vector<std::string>& names, std::size_t count)
    {
        constexpr std::size_t kNamed = PartitionOrigin::kMaxTooSmall - 1;
        std::string list;
        const std::size_t shown = count <= kNamed + 1 ? count : kNamed;
        for (std::size_t i = 0; i < shown; ++i)
            list += (i == 0 ? "" : i + 1 == count ? " and " : ", ") + names[i];
        return shown == count ? list : list + " and " + formatCount(count - shown) + " more";
    }

    [[nodiscard]] std::string firstCallOf(const Partition& partition) const
    {
        const auto call = std::ranges::find_if(partition.nodes, [this](NodeId id) { return m_graph[id].isCall(); });
        return call != partition.nodes.end() ? m_graph[*call].name.str() : std::string("its first op");
    }

    /// e.g. "mul_3, which needs 5.1 kB, but gpu0 has only 3.0 kB left"
    [[nodiscard]] std::string end(const Partition& partition) const
    {
        const PartitionOrigin& origin = partition.origin;
        return m_graph[origin.next].name.str() + ", which needs " + formatBytes(origin.nextBytes) + ", but "
            + (partition.devices.empty() ? std::string("the device") : deviceName(partition.devices.front())) + " has only "
            + bytesText(origin.leftBytes) + " left";
    }

    [[nodiscard]] std::string wholeFits(const Partition& partition) const
    {
        const std::int64_t id = partition.devices.empty() ? -1 : partition.devices.front();
        const auto at = m_placeOf.find(id);
        const std::string room = at != m_placeOf.end() ? " of " + bytesText(m_devices[at->second].availableBytes) : std::string();
        return "The whole model fits on " + deviceName(id) + " (" + formatBytes(partition.usedBytes) + room
            + " by PyTorch's count), so the partitioner makes one part.";
    }

    [[nodiscard]] std::string begin(const Partition& partition) const
    {
        const std::string name = submoduleOf(partition);
        switch (partition.origin.kind) {
        case OriginKind::whole: return wholeFits(partition);
        case OriginKind::filled: {
            std::string text = name + " is on "
                + (partition.devices.empty() ? "no device" : deviceName(partition.devices.front()))
                + ", the first empty device with room for " + firstCallOf(partition) + '.';
            if (!partition.origin.tooSmall.empty()) {
                std::vector<std::string> names;
                for (const std::int64_t id : partition.origin.tooSmall)
                    names.push_back(deviceName(id));
                text += " Too small for that op: " + listed(names, partition.origin.tooSmallCount) + '.';
            }
            return text;
        }
        case OriginKind::alone:
            return name + " is a single op, placed after every device had a part. It is on " + devicesOf(partition)
                + ", the device with the least room that is enough for it.";
        case OriginKind::tables:
            return name + " has as many embeddings as fit on a device with the other ops. It is on " + devicesOf(partition) + '.';
        case OriginKind::dense:
            return name + " has the ops that are not embeddings. It is on each device with embeddings: " + devicesOf(partition)
                + '.';
        case OriginKind::latency:
            return name + " was merged from " + formatCount(partition.origin.joined, "op")
                + " while the estimated latency did not increase. It is on " + devicesOf(partition)
                + ", the device with the least room that is enough for it.";
        case OriginKind::given: break;
        }
        return name + " is on " + devicesOf(partition) + ", as requested.";
    }

    [[nodiscard]] std::string whyCall(NodeId id, const Partition& partition) const
    {
        const auto before = std::ranges::find_if(m_set.partitions,
                                                 [&](const Partition& other) { return other.origin.next == id; });
        if (before != m_set.partitions.end() && &*before != &partition)
            return submoduleOf(*before) + " has no room for it: it needs " + formatBytes(before->origin.nextBytes) + ", but only "
                + bytesText(before->origin.leftBytes) + " were left.";
        switch (partition.origin.kind) {
        case OriginKind::whole: return "it is the only part.";
        case OriginKind::filled: return "ops are placed in graph order, and the device had room for it.";
        case OriginKind::alone: return "no empty device was left for it.";
        case OriginKind::tables: return "it is an embedding.";
        case OriginKind::dense: return "it is not an embedding.";
        case OriginKind::latency: return "merging it with these ops does not increase the estimated latency.";
        case OriginKind::given: break;
        }
        return "it was requested.";
    }

    /// Adds the first sentences, which describe the method.
    void method(std::vector<std::string>& lines) const
    {
        const auto has = [this](OriginKind kind) {
            return std::ranges::any_of(m_set.partitions, [&](const Partition& one) { return one.origin.kind == kind; });
        };
        const Partition& first = m_set.partitions.front();
        if (first.origin.kind == OriginKind::whole) {
            lines.push_back(wholeFits(first));
            lines.push_back("To split it, give each device less than " + formatBytes(first.usedBytes)
                            + ", or tag the parts yourself.");
        } else if (has(OriginKind::filled)) {
            lines.emplace_back(
                "Devices are filled one after another with ops in graph order; PyTorch counts all values for the whole run.");
            ends(lines);
        } else if (has(OriginKind::latency)) {
            lines.emplace_back(
                "Each op started as its own part; parts were merged while the estimated latency did not increase.");
        } else if (has(OriginKind::tables)) {
            lines.emplace_back("Embeddings are spread over the devices; all other ops are on each device with embeddings.");
        } else if (has(OriginKind::dense)) {
            lines.emplace_back("The model has no embeddings to spread; parts are placed where there is room.");
        } else {
            lines.emplace_back("The parts and their devices are as requested.");
        }
        exchanges(lines);
    }

    void ends(std::vector<std::string>& lines) const
    {
        constexpr std::size_t kMaxEnds = 2;
        std::size_t ended = 0;
        std::size_t alone = 0;
        std::size_t joined = 0;
        std::string sentence;
        for (const Partition& partition : m_set.partitions) {
            alone += partition.origin.kind == OriginKind::alone ? 1 : 0;
            joined += partition.origin.joined > 1 ? partition.origin.joined : 0;
            if (partition.origin.next && ended++ < kMaxEnds)
                sentence += (sentence.empty() ? "" : "; ") + submoduleOf(partition) + " ends before " + end(partition);
        }
        if (!sentence.empty())
            lines.push_back(sentence + (ended > kMaxEnds ? "; and so on." : "."));
        if (alone > 0)
            lines.push_back("After every device had a part, " + formatCount(alone, "op")
                            + (alone == 1 ? " became a part of its own" : " became parts of their own")
                            + ", placed where there was room.");
        if (joined > 0)
            lines.push_back("Parts that fit on one device together were merged.");
    }

    void exchanges(std::vector<std::string>& lines) const
    {
        if (!m_set.partitions.front().origin.exchanged)
            return;
        std::uint64_t moved = 0;
        for (const Partition& partition : m_set.partitions)
            moved += partition.origin.exchanged.value_or(0);
        lines.push_back(moved == 0 ? std::string("No op was moved afterward, because no move lowers the estimated latency.")
                                   : formatCount(moved, "op") + (moved == 1 ? " was" : " were")
                                + " moved afterward to lower the estimated latency.");
    }

    [[nodiscard]] const std::vector<std::size_t>& partsOn(std::size_t place) const { return m_partsOn[place]; }

    [[nodiscard]] double bytesOn(std::size_t place) const
    {
        double bytes = 0;
        for (const std::size_t p : partsOn(place))
            bytes += static_cast<double>(m_set.partitions[p].usedBytes);
        return bytes;
    }

    /// Reports only parts that exceed the memory on their own, since bytes counted by two parts on a device may be shared.
    [[nodiscard]] std::string tooMuch(std::size_t place) const
    {
        const std::vector<std::size_t>& parts = partsOn(place);
        const double most = m_devices[place].availableBytes;
        const auto isTooMuch = [&](std::size_t p) { return static_cast<double>(m_set.partitions[p].usedBytes) > most; };
        if (std::ranges::none_of(parts, isTooMuch))
            return {};
        return deviceName(m_devices[place]) + " has " + bytesText(most) + " and holds " + bytesText(bytesOn(place))
            + " by PyTorch's count; this partitioner ignores the memory limit.";
    }

    [[nodiscard]] std::string whyIdle(std::size_t place) const
    {
        const std::string name = deviceName(m_devices[place]) + " is empty: ";
        const OriginKind kind = m_set.partitions.front().origin.kind;
        if (kind == OriginKind::whole)
            return name + "the whole model fits on " + devicesOf(m_set.partitions.front()) + '.';
        if (m_passedOverBy[place]) {
            const Partition& partition = m_set.partitions[*m_passedOverBy[place]];
            return name + "it has only " + bytesText(m_devices[place].availableBytes) + ", too little for "
                + firstCallOf(partition) + ", the first op of " + submoduleOf(partition) + '.';
        }
        if (kind == OriginKind::given)
            return name + "no part was requested for it.";
        return name
            + (kind == OriginKind::filled ? "all ops were placed on earlier devices." : "all parts fit on the other devices.");
    }

    void full(std::vector<std::string>& lines) const
    {
        constexpr std::size_t kMaxFull = 2;
        std::size_t found = 0;
        for (std::size_t place = 0; place < m_devices.size(); ++place)
            if (const std::string load = tooMuch(place); !load.empty() && found++ < kMaxFull)
                lines.push_back(load);
        if (found > kMaxFull)
            lines.push_back(formatCount(found - kMaxFull, "more device") + (found - kMaxFull == 1 ? " is" : " are")
                            + " over capacity.");
    }

    void idle(std::vector<std::string>& lines) const
    {
        constexpr std::size_t kMaxIdle = 2;
        if (m_set.partitions.front().origin.kind == OriginKind::whole)
            return idleBesideWhole(lines);
        std::size_t found = 0;
        for (std::size_t place = 0; place < m_devices.size(); ++place)
            if (partsOn(place).empty() && found++ < kMaxIdle)
                lines.push_back(whyIdle(place));
        if (found > kMaxIdle)
            lines.push_back(formatCount(found - kMaxIdle, "more device") + (found - kMaxIdle == 1 ? " is" : " are") + " empty.");
    }

    void idleBesideWhole(std::vector<std::string>& lines) const
    {
        std::vector<std::string> names;
        for (std::size_t place = 0; place < m_devices.size(); ++place)
            if (partsOn(place).empty())
                names.push_back(deviceName(m_devices[place]));
        if (!names.empty())
            lines.push_back(listed(names) + (names.size() == 1 ? " is empty." : " are empty."));
    }

    [[nodiscard]] std::vector<std::size_t> partitionsWith(NodeId id) const
    {
        if (m_graph[id].isCall()) {
            const std::uint32_t p = id.index() < m_set.partitionOf.size() ? m_set.partitionOf[id.index()] : PartitionSet::kNone;
            return p == PartitionSet::kNone ? std::vector<std::size_t>() : std::vector<std::size_t>{p};
        }
        std::vector<std::size_t> found;
        for (std::size_t p = 0; p < m_set.partitions.size(); ++p)
            if (std::ranges::find(m_set.partitions[p].nodes, id) != m_set.partitions[p].nodes.end())
                found.push_back(p);
        return found;
    }

    const Graph& m_graph;
    const PartitionSet& m_set;
    std::span<const Device> m_devices;
    std::unordered_map<std::int64_t, std::size_t> m_placeOf; ///< index of the device, by logical id
    std::vector<std::vector<std::size_t>> m_partsOn; ///< per device, ascending
    std::vector<std::optional<std::size_t>> m_passedOverBy; ///< per device: the first partition that did not fit
};

} // namespace

std::vector<std::string> reasonsOfCut(const Graph& graph, const PartitionSet& set, std::span<const Device> devices)
{
    return Reasons(graph, set, devices).ofCut();
}

AllReasons allReasons(const Graph& graph, const PartitionSet& set, std::span<const Device> devices)
{
    const Reasons reasons(graph, set, devices);
    AllReasons all{.cut = reasons.ofCut(), .parts = {}, .devices = {}};
    for (std::size_t p = 0; p < set.partitions.size(); ++p)
        all.parts.push_back(reasons.ofPart(p));
    for (std::size_t place = 0; place < devices.size(); ++place)
        all.devices.push_back(reasons.ofDevice(place));
    return all;
}

std::string reasonOfPart(const Graph& graph, const PartitionSet& set, std::size_t index, std::span<const Device> devices)
{
    return Reasons(graph, set, devices).ofPart(index);
}

std::string reasonOfNode(const Graph& graph, const PartitionSet& set, NodeId node, std::span<const Device> devices)
{
    return Reasons(graph, set, devices).ofNode(node);
}

std::string reasonOfDevice(const Graph& graph, const PartitionSet& set, std::size_t place, std::span<const Device> devices)
{
    return Reasons(graph, set, devices).ofDevice(place);
}

std::string separateForwardBackward(const TrainingGraph& training, const PartitionSet& set)
{
    if (!training.isTraining())
        return {};
    const auto partitionOf = [&set](NodeId call) {
        return call.index() < set.partitionOf.size() ? set.partitionOf[call.index()] : PartitionSet::kNone;
    };
    const auto shareDevice = [&set](std::uint32_t a, std::uint32_t b) {
        const std::vector<std::int64_t>& devices = set.partitions[b].devices;
        return std::ranges::any_of(set.partitions[a].devices, [&devices](std::int64_t device) {
            return std::ranges::find(devices, device) != devices.end();
        });
    };
    std::size_t apart = 0;
    for (std::size_t i = 0; i < training.isBackward.size(); ++i) {
        if (training.isBackward[i] == 0)
            continue;
        const std::uint32_t mine = partitionOf(NodeId(i));
        const std::uint32_t forward = partitionOf(training.forwardOf[i]);
        if (mine != forward && mine != PartitionSet::kNone && forward != PartitionSet::kNone && !shareDevice(mine, forward))
            ++apart;
    }
    if (apart == 0)
        return {};
    return formatCount(apart) + " of " + formatCount(training.backwardCalls, "op")
        + " of the backward pass are not on the device of their forward op, because partitioners ignore passes. "
          "To keep them together, tag stages that the backward pass follows, then split or partition as tagged.";
}

} // namespace sunder
