#include "passes/partition/separate_forward_backward.h"

#include "support/format.h"

#include <algorithm>

namespace sunder {

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
