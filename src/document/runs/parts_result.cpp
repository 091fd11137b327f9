#include "analysis/device.h"
#include "document/runs/make_runs.h"
#include "document/runs/result_kinds.h"
#include "document/runs/split_outcome.h"
#include "document/text.h"
#include "text/amounts.h"

namespace sunder {
namespace {

const SplitOutcome& cutOf(const Outcome& made)
{
    return static_cast<const SplitOutcome&>(made);
}

/// Returns the devices of a partition with their loads; empty for a split by tags.
std::vector<DeviceLoad> loadsOf(const SplitOutcome& split, const CutGraph& graph, const CutMetrics& metrics)
{
    return split.plan
        ? deviceLoads(graph, split.tags, metrics, split.plan->request.devices(), devicesOfParts(metrics, split.plan->dag))
        : std::vector<DeviceLoad>();
}

std::vector<Device> devicesOf(const SplitOutcome& split, const std::vector<Device>& now)
{
    return split.plan ? asCalledNow(split.plan->request.devices(), now) : std::vector<Device>();
}

/// Returns PyTorch's count for the largest part of a partition; nothing for a split by tags.
std::optional<std::uint64_t> largestCount(const SplitOutcome& split)
{
    std::optional<std::uint64_t> largest;
    if (split.plan)
        for (const PartitionDagNode& part : split.plan->dag)
            largest = std::max(largest, std::optional(part.usedBytes));
    return largest;
}

RunComparison compareParts(const Snapshot& source, const Outcome& first, const Outcome& second, const std::vector<Device>& now)
{
    const SplitOutcome& before = cutOf(first);
    const SplitOutcome& after = cutOf(second);
    // Parts of a partition are numbered, so their names do not identify them.
    const bool isByName = before.partsAreTags && after.partsAreTags;
    const CutGraph graph = cutGraph(source.program, MemoryRule::freesDead);
    CutRunComparison made{compareCuts(graph, before.tags, after.tags, isByName ? PartMatching::names : PartMatching::overlap),
                          {},
                          before.tags,
                          after.tags,
                          largestCount(before),
                          largestCount(after)};
    const std::vector<DeviceLoad> loadsBefore = loadsOf(before, graph, made.cuts.before);
    const std::vector<DeviceLoad> loadsAfter = loadsOf(after, graph, made.cuts.after);
    const std::vector<Device> devicesBefore = devicesOf(before, now);
    const std::vector<Device> devicesAfter = devicesOf(after, now);
    if (before.plan || after.plan)
        made.devices = compareDevices({devicesBefore, loadsBefore}, {devicesAfter, loadsAfter});
    return {std::move(made)};
}

} // namespace

ResultDescription partsResult()
{
    return {.kind = SplitOutcome::kKind,
            .does = tr("%1 splits the model into parts"),
            .heading = tr("CUT"),
            .programTitle = tr("The cut: main graph and parts"),
            .outcome =
                [](const Outcome& made) {
                    const QString parts = countText(cutOf(made).split.parts.size(), "part");
                    const QString others = otherSizesText(cutOf(made));
                    return others.isEmpty() ? parts : tr("%1, %2").arg(parts, others);
                },
            .program = [](const Outcome& made) { return &cutOf(made).split.program; },
            .map = [](const Outcome& made) { return &cutOf(made).split.map; },
            .copyWith = [](const Outcome& made, const std::function<void(Program&)>& change) -> std::shared_ptr<Outcome> {
                auto copy = std::make_shared<SplitOutcome>(cutOf(made));
                change(copy->split.program);
                return copy;
            },
            .recompute = [](Outcome& made, const Snapshot& source,
                            ProgressMonitor& monitor) { return recompute(static_cast<SplitOutcome&>(made), source, monitor); },
            .compare = compareParts};
}

} // namespace sunder
