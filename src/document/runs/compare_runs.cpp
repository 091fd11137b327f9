#include "document/runs/compare_runs.h"

namespace sunder {

namespace {

/// The devices that a cut was made for, with what is on each; empty for a split by tags.
std::vector<DeviceLoad> loadsOf(const SplitOutcome& split, const CutMetrics& metrics)
{
    return split.plan ? deviceLoads(metrics, split.plan->request.devices(), devicesOfParts(metrics, split.plan->dag))
                      : std::vector<DeviceLoad>();
}

std::span<const Device> devicesOf(const SplitOutcome& split)
{
    return split.plan ? std::span<const Device>(split.plan->request.devices()) : std::span<const Device>();
}

} // namespace

Result<RunComparisonPtr> compareRuns(const SnapshotPtr& source, const SplitOutcomePtr& before, const SplitOutcomePtr& after,
                                     ProgressMonitor& monitor)
{
    monitor.report(0, "measuring both cuts");
    const CutGraph graph = cutGraph(source->program);
    if (monitor.isCancelled())
        return fail(ErrorCode::cancelled, "Cancelled.");
    auto comparison = std::make_shared<RunComparison>();
    comparison->before = before->tags;
    comparison->after = after->tags;
    // A partition's parts are numbered: their names say nothing of what is in them.
    const bool isByName = !before->plan && !after->plan;
    comparison->cuts = compareCuts(graph, before->tags, after->tags, isByName ? PartMatching::names : PartMatching::overlap);
    const std::vector<DeviceLoad> loadsBefore = loadsOf(*before, comparison->cuts.before);
    const std::vector<DeviceLoad> loadsAfter = loadsOf(*after, comparison->cuts.after);
    if (before->plan || after->plan)
        comparison->devices = compareDevices({devicesOf(*before), loadsBefore}, {devicesOf(*after), loadsAfter});
    return comparison;
}

} // namespace sunder
