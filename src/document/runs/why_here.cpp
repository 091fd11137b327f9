#include "document/runs/why_here.h"

#include "document/text.h"
#include "passes/partition/partition_reasons.h"
#include "text/shown_text.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr int kLongestName = 60;

QString nameOf(const Device& device)
{
    return device.name.empty() ? QObject::tr("device %1").arg(device.logicalId) : brief(text(device.name), kLongestName);
}

} // namespace

QString whyCut(const Graph& source, const SplitOutcome& cut)
{
    QStringList sentences;
    if (cut.plan)
        for (const std::string& sentence : reasonsOfCut(source, cut.plan->set, cut.plan->request.devices()))
            sentences << text(sentence);
    return sentences.join(QLatin1Char(' '));
}

QString questionAbout(const Graph& source, NodeId node)
{
    return QObject::tr("Why is %1 here?").arg(brief(text(source[node].name), kLongestName));
}

WhyHere whyNodeHere(const Graph& source, const SplitOutcome& cut, NodeId node)
{
    if (!cut.plan)
        return {};
    return {questionAbout(source, node), text(reasonOfNode(source, cut.plan->set, node, cut.plan->request.devices()))};
}

WhyHere whyPartHere(const Graph& source, const SplitOutcome& cut, InternedString part)
{
    if (!cut.plan)
        return {};
    const std::vector<Partition>& partitions = cut.plan->set.partitions;
    const auto at = std::ranges::find_if(partitions, [&](const Partition& one) { return part.view() == submoduleOf(one); });
    if (at == partitions.end())
        return {};
    return {QObject::tr("Why does %1 contain these ops?").arg(brief(text(part), kLongestName)),
            text(reasonOfPart(source, cut.plan->set, static_cast<std::size_t>(at - partitions.begin()),
                              cut.plan->request.devices()))};
}

WhyHere whyDeviceHere(const Graph& source, const SplitOutcome& cut, std::int64_t device)
{
    if (!cut.plan)
        return {};
    const std::vector<Device>& devices = cut.plan->request.devices();
    const auto at = std::ranges::find(devices, device, &Device::logicalId);
    if (at == devices.end())
        return {};
    const bool isUsed = std::ranges::any_of(cut.plan->set.partitions, [device](const Partition& partition) {
        return std::ranges::find(partition.devices, device) != partition.devices.end();
    });
    return {(isUsed ? QObject::tr("Why does %1 hold these parts?") : QObject::tr("Why is %1 empty?")).arg(nameOf(*at)),
            text(reasonOfDevice(source, cut.plan->set, static_cast<std::size_t>(at - devices.begin()), devices))};
}

PlaceOfOp placeOfOp(const SplitOutcome& cut, NodeId op)
{
    if (!cut.plan || op.index() >= cut.plan->set.partitionOf.size())
        return {};
    const std::uint32_t index = cut.plan->set.partitionOf[op.index()];
    if (index == PartitionSet::kNone)
        return {};
    const Partition& partition = cut.plan->set.partitions[index];
    QStringList names;
    for (const std::int64_t id : partition.devices)
        for (const Device& device : cut.plan->request.devices())
            if (device.logicalId == id)
                names << nameOf(device);
    return {text(submoduleOf(partition)), names.join(QStringLiteral(", "))};
}

} // namespace sunder
