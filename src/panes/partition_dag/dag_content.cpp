#include "panes/partition_dag/dag_content.h"

#include "analysis/cut/cut_text.h"
#include "analysis/device.h"
#include "document/text.h"
#include "ir/value_kind.h"
#include "layout/picture/item_text.h"
#include "text/amounts.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace sunder {
namespace {

/// Returns the relative width of the largest edge: from a quarter for a few bytes to 1 for 1 MB and more. Otherwise a single
/// edge of 512 B would look large.
double widestOf(std::uint64_t largest)
{
    constexpr double kMin = 0.25;
    constexpr double kFew = 64;
    constexpr double kMuch = 1e6;
    return std::clamp(std::log2(static_cast<double>(largest) / kFew) / std::log2(kMuch / kFew), kMin, 1.0);
}

QString nameOf(const Device& device)
{
    return device.name.empty() ? QObject::tr("device %1").arg(device.logicalId) : text(device.name);
}

/// Returns the devices of each part: as assigned by the partitioner, or else device i for part i.
std::vector<std::vector<std::int64_t>> placesOf(const CutMeasure& measure, const std::vector<Device>& devices)
{
    if (measure.cut()->plan)
        return devicesOfParts(measure.metrics(), measure.cut()->plan->dag);
    return devicesInOrder(measure.metrics(), devices);
}

/// Returns e.g. "6.2 of 8.0 GB"; the first unit is omitted if both are equal.
QString ofCapacity(std::uint64_t used, std::uint64_t capacity)
{
    QString left = bytesText(used);
    const QString right = bytesText(capacity);
    if (left.section(QLatin1Char(' '), 1) == right.section(QLatin1Char(' '), 1))
        left = left.section(QLatin1Char(' '), 0, 0);
    return QObject::tr("%1 of %2").arg(left, right);
}

/// Returns e.g. "3 tensors · 96.0 MB", "6 tensors, 1 number · 2.6 kB". Symbolic ints are numbers and take no bytes.
QString labelOf(const CutEdge& cutEdge)
{
    QStringList what;
    if (const std::size_t tensors = cutEdge.values.size() - cutEdge.numbers; tensors > 0)
        what << countText(tensors, "tensor");
    if (cutEdge.numbers > 0)
        what << countText(cutEdge.numbers, "number");
    QString label = what.join(QStringLiteral(", "));
    if (cutEdge.values.size() > cutEdge.numbers)
        label = QObject::tr("%1 · %2").arg(label, bytesText(cutEdge.bytes));
    return cutEdge.unknown > 0 ? QObject::tr("%1 + %2 unknown").arg(label, QString::number(cutEdge.unknown)) : label;
}

/// The short form of labelOf().
QString amountOf(const CutEdge& cutEdge)
{
    if (cutEdge.values.size() == cutEdge.numbers)
        return countText(cutEdge.numbers, "number");
    const QString bytes = bytesText(cutEdge.bytes);
    return cutEdge.unknown == 0 ? bytes : cutEdge.bytes == 0 ? QObject::tr("unknown") : QObject::tr("%1 or more").arg(bytes);
}

QString amountOf(const DagBox& box)
{
    const QString own = bytesText(box.sizes.usedBytes());
    if (!box.capacity)
        return box.hasUnknown ? QObject::tr("%1 or more").arg(own) : own;
    const QString device = ofCapacity(box.onDevice(), *box.capacity);
    if (box.overflow > 0)
        return QObject::tr("%1: %2").arg(signedBytes(-static_cast<std::int64_t>(box.overflow)), device);
    QString amount = box.elsewhere > 0 ? QObject::tr("%1 here, %2 in total").arg(own, device) : device;
    return box.hasUnknown ? QObject::tr("%1 or more").arg(amount) : amount;
}

class Content {
public:
    Content(const CutMeasure& measure, const std::vector<TagLook>& looks, const std::vector<Device>& devices) : m_measure(measure)
    {
        for (const TagLook& look : looks)
            m_looks.try_emplace(look.name, &look);
        m_content.rule = measure.graph()->rule;
        m_content.devices = measure.cut()->plan ? asCalledNow(measure.cut()->plan->request.devices(), devices) : devices;
        m_places = placesOf(measure, m_content.devices);
        m_loads = deviceLoads(*measure.graph(), measure.tags(), measure.metrics(), m_content.devices, m_places);
        if (const auto& plan = measure.cut()->plan) {
            m_torchCounts = torchCounts(m_content.devices, plan->dag);
            if (m_content.rule == MemoryRule::keepsAll)
                for (std::size_t device = 0; device < m_loads.size(); ++device)
                    m_loads[device].sizes.inputBytes = inputsCounted(m_torchCounts[device], m_loads[device].sizes);
        }
    }

    DagContent make()
    {
        const CutMetrics& metrics = m_measure.metrics();
        for (std::size_t part = 0; part < metrics.parts.size(); ++part)
            if (metrics.parts[part].sizes.ops > 0)
                addBox(part);
        for (DagBox& box : m_content.boxes) {
            m_content.largestUse = std::max(m_content.largestUse, box.sizes.usedBytes());
            box.amount = amountOf(box);
            box.brief = box.overflow > 0 ? signedBytes(-static_cast<std::int64_t>(box.overflow))
                                         : bytesText(box.sizes.usedBytes());
        }
        for (std::size_t device = 0; device < m_loads.size(); ++device)
            if (m_loads[device].parts.empty())
                addIdle(m_content.devices[device]);
        addCutEdges();
        addShared();
        for (std::size_t box = 0; box < m_content.boxes.size(); ++box)
            addHandles(box);
        m_content.totals = text(describeTotals(metrics, m_content.devices, m_loads));
        m_content.totalsTip = metrics.parts.empty() ? QString() : sentence(describeBound(metrics, m_measure.source()->graph()));
        m_content.totalsTip += QLatin1Char('\n') + sentence("memory: " + std::string(describeRule(metrics.rule)));
        m_content.torchCount = aboutTorch();
        if (const QString shared = aboutShared(); !shared.isEmpty())
            m_content.totalsTip += QLatin1Char('\n') + shared;
        return std::move(m_content);
    }

private:
    /// Returns the input bytes in PyTorch's count, which counts an input once per consumer: the count without parameters and
    /// activations.
    static std::uint64_t inputsCounted(std::optional<std::uint64_t> count, const PartSizes& sizes)
    {
        const std::uint64_t others = sizes.parameterBytes + sizes.activationPeakBytes;
        return count && *count > others ? *count - others : sizes.inputBytes;
    }

    /// Returns e.g. "PyTorch counts 524.1 kB on cuda:0: no value is freed"; empty if the cut is not a partition, or if all figures
    /// follow PyTorch's rule.
    [[nodiscard]] QString aboutTorch() const
    {
        const auto most = std::ranges::max_element(m_torchCounts);
        if (most == m_torchCounts.end() || !*most || m_content.rule == MemoryRule::keepsAll)
            return {};
        const Device& device = m_content.devices[static_cast<std::size_t>(most - m_torchCounts.begin())];
        return QObject::tr("PyTorch counts %1 on %2: no value is freed").arg(bytesText(**most), nameOf(device));
    }

    [[nodiscard]] TagLook lookOf(InternedString name, std::size_t part) const
    {
        const QString wanted = text(name);
        const auto look = m_looks.find(wanted);
        return look != m_looks.end() ? *look->second : TagLook{wanted, tagCode(wanted), tagStyle(theme(false), part)};
    }

    /// Returns the device whose capacity applies to a part: among several replicas the one with the largest overflow, or else the
    /// first.
    [[nodiscard]] std::optional<std::size_t> deviceOf(std::size_t part) const
    {
        std::optional<std::size_t> found;
        for (std::size_t device = 0; device < m_loads.size(); ++device) {
            const auto& held = m_loads[device].parts;
            if (!std::binary_search(held.begin(), held.end(), static_cast<std::int32_t>(part)))
                continue;
            if (!found || m_loads[device].overflowBytes() > m_loads[*found].overflowBytes())
                found = device;
        }
        return found;
    }

    void addBox(std::size_t part)
    {
        const PartMetrics& metrics = m_measure.metrics().parts[part];
        DagBox box{.part = static_cast<std::int32_t>(part), .look = lookOf(metrics.name, part), .sizes = metrics.sizes};
        if (metrics.peakAt)
            box.peakAt = text(m_measure.source()->graph()[metrics.peakAt].name);
        box.hasUnknown = !metrics.unknownValues.empty() || !metrics.unknownTensors.empty();
        if (const auto& plan = m_measure.cut()->plan)
            for (const PartitionDagNode& node : plan->dag)
                if (node.submodule == metrics.name)
                    box.torchCount = node.usedBytes;
        if (m_content.rule == MemoryRule::keepsAll)
            box.sizes.inputBytes = inputsCounted(box.torchCount, box.sizes);
        if (const auto device = deviceOf(part)) {
            const DeviceLoad& load = m_loads[*device];
            box.capacity = load.capacity;
            box.overflow = load.overflowBytes();
            box.elsewhere = load.usedBytes() - std::min(load.usedBytes(), box.sizes.usedBytes());
        }
        if (m_content.boxes.empty() || m_places[part] != m_lastPlaces || m_places[part].empty())
            addLane(part);
        m_lastPlaces = m_places[part];
        box.lane = m_content.lanes.size() - 1;
        m_content.boxes.push_back(std::move(box));
        m_content.lanes.back().end = m_content.boxes.size();
    }

    void addLane(std::size_t part)
    {
        DagLane lane{.begin = m_content.boxes.size(), .end = m_content.boxes.size()};
        QStringList names;
        QStringList memory;
        for (const Device& device : m_content.devices)
            if (std::find(m_places[part].begin(), m_places[part].end(), device.logicalId) != m_places[part].end()) {
                names << nameOf(device);
                lane.devices.push_back(device.logicalId);
                memory << bytesText(static_cast<std::uint64_t>(std::max(0.0, device.availableBytes)));
            }
        memory.removeDuplicates();
        lane.name = names.isEmpty() ? QObject::tr("no device") : names.join(QStringLiteral(", "));
        lane.memory = memory.join(QStringLiteral(", "));
        if (m_content.devices.empty()) {
            lane.name.clear(); // the part in it shows the name
            lane.tip = QObject::tr("No devices yet. With devices, each lane shows one device.");
        } else if (!m_measure.cut()->plan) {
            lane.tip = names.isEmpty()
                ? QObject::tr("There are more parts than devices.")
                : QObject::tr("A split by tags assigns no devices; its parts are shown on the devices in order.");
        } else {
            lane.tip = names.size() > 1 ? QObject::tr("Replicas on %1.").arg(lane.name) : lane.name;
        }
        m_content.lanes.push_back(std::move(lane));
    }

    void addIdle(const Device& device)
    {
        m_content.lanes.push_back({.name = nameOf(device),
                                   .memory = bytesText(static_cast<std::uint64_t>(std::max(0.0, device.availableBytes))),
                                   .tip = QObject::tr("%1 has no parts.").arg(nameOf(device)),
                                   .devices = {device.logicalId},
                                   .begin = m_content.boxes.size(),
                                   .end = m_content.boxes.size()});
    }

    void addCutEdges()
    {
        const std::vector<CutEdge>& cutEdges = m_measure.drawn().cutEdges;
        std::uint64_t most = 1;
        for (const CutEdge& cutEdge : cutEdges)
            most = std::max(most, cutEdge.bytes);
        for (std::size_t i = 0; i < cutEdges.size(); ++i) {
            const int from = m_content.boxOf(cutEdges[i].from);
            const int to = m_content.boxOf(cutEdges[i].to);
            if (from < 0 || to < 0)
                continue;
            m_content.cutEdges.push_back(
                {.cutEdge = i,
                 .from = static_cast<std::size_t>(from),
                 .to = static_cast<std::size_t>(to),
                 .share = widestOf(most) * static_cast<double>(cutEdges[i].bytes) / static_cast<double>(most),
                 .isBackward = cutEdges[i].isBackward(),
                 .label = labelOf(cutEdges[i]),
                 .amount = amountOf(cutEdges[i])});
        }
    }

    void addShared()
    {
        std::vector<Port> shared = m_measure.drawn().shared;
        std::stable_sort(shared.begin(), shared.end(), [](const Port& a, const Port& b) { return a.bytes > b.bytes; });
        const Graph& graph = m_measure.source()->graph();
        for (const Port& value : shared) {
            DagShared made{.node = value.node,
                           .from = value.from < 0 ? -1 : m_content.boxOf(value.from),
                           .to = {},
                           .name = text(nameFromAfar(graph, value.node)),
                           .size = value.hasNoTensor ? QString()
                               : value.isKnown       ? bytesText(value.bytes)
                                                     : QObject::tr("unknown size")};
            for (const std::int32_t part : value.to)
                made.to.push_back(static_cast<std::size_t>(m_content.boxOf(part))); // consuming parts have ops, hence a box
            m_content.shared.push_back(std::move(made));
        }
    }

    /// Describes the part of the cut that is drawn as chips instead of edges; empty if there is none.
    [[nodiscard]] QString aboutShared() const
    {
        std::size_t values = 0;
        std::uint64_t bytes = 0;
        for (const Port& value : m_measure.drawn().shared)
            if (value.from >= 0) {
                ++values;
                bytes += value.bytes * value.to.size();
            }
        return values == 0 ? QString()
                           : QObject::tr("%1 of the cut is shown as chips next to the parts: %2 that more than %3 parts use.")
                                 .arg(bytesText(bytes), countText(values, "value"), QString::number(DrawnCut::kMaxLines));
    }

    void addHandles(std::size_t box)
    {
        const PartBoundary& boundary = m_measure.boundaryOf(m_content.boxes[box].part);
        m_content.boxes[box].entering = boundary.entering;
        m_content.boxes[box].leaving = boundary.leaving;
        std::vector<std::size_t> order(boundary.calls.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const BoundaryCall& first = boundary.calls[a];
            const BoundaryCall& second = boundary.calls[b];
            return first.leaves() != second.leaves() ? second.leaves() : first.bytes > second.bytes;
        });
        for (const std::size_t place : order) {
            const BoundaryCall& call = boundary.calls[place];
            const Node& node = m_measure.source()->graph()[call.node];
            const QString parts = namesOf(call.leaves() ? call.to : call.from);
            m_content.handles.push_back({.node = call.node,
                                         .box = box,
                                         .leaves = call.leaves(),
                                         .place = place,
                                         .name = text(node.name),
                                         .about = call.leaves()
                                             ? QObject::tr("goes to %1, %2").arg(parts, text(describeSize(node.meta.val)))
                                             : call.bytes > 0 ? QObject::tr("reads from %1, %2").arg(parts, bytesText(call.bytes))
                                                              : QObject::tr("reads from %1").arg(parts)});
        }
    }

    [[nodiscard]] QString namesOf(const std::vector<std::int32_t>& parts) const
    {
        QStringList names;
        for (const std::int32_t part : parts)
            names << text(m_measure.tags().order[static_cast<std::size_t>(part)]);
        return names.join(QStringLiteral(", "));
    }

    const CutMeasure& m_measure;
    std::unordered_map<QString, const TagLook*> m_looks; ///< by name, the first of each
    std::vector<std::vector<std::int64_t>> m_places;
    std::vector<DeviceLoad> m_loads;
    std::vector<std::optional<std::uint64_t>> m_torchCounts; ///< per device; empty if the cut is not a partition
    std::vector<std::int64_t> m_lastPlaces;
    DagContent m_content;
};

} // namespace

int DagContent::boxOf(std::int32_t part) const
{
    const auto at = std::lower_bound(boxes.begin(), boxes.end(), part,
                                     [](const DagBox& box, std::int32_t wanted) { return box.part < wanted; });
    return at != boxes.end() && at->part == part ? static_cast<int>(at - boxes.begin()) : -1;
}

DagContent dagContent(const CutMeasure& measure, const std::vector<TagLook>& looks, const std::vector<Device>& devices)
{
    return Content(measure, looks, devices).make();
}

} // namespace sunder
