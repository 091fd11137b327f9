#include "document/runs/make_runs.h"

#include "analysis/cut/part_assignment.h"
#include "document/passes/partition_pass.h"
#include "document/passes/pass.h"
#include "document/runs/result_kinds.h"
#include "document/runs/run_steps.h"
#include "jobs/jobs.h"
#include "passes/deduplicate/deduplicate.h"
#include "passes/partition/accelerator_partitioner.h"
#include "passes/partition/apply_partition_set.h"
#include "passes/partition/partition_reasons.h"
#include "passes/partition/size_based_partitioner.h"
#include "verify/verify.h"

#include <QElapsedTimer>

namespace sunder {
namespace {

/// Verifies the parts of a cut individually, if the cut as a whole is verified.
Result<void> verifyParts(const Program& source, SplitOutcome& cut, ProgressMonitor& monitor)
{
    cut.apart.reset();
    if (!cut.isProven())
        return {};
    return unprovenParts(source, cut.split, monitor).map([&](std::optional<PartsProof> parts) { cut.apart = std::move(parts); });
}

Result<void> verify(RunSteps& steps, const Program& source, SplitOutcome& cut, ProgressMonitor& monitor)
{
    const Result<void> verified = steps.verify(source, cut.split.program);
    return verified ? verifyParts(source, cut, monitor) : verified;
}

} // namespace

Result<SplitOutcomePtr> makeSplit(const SnapshotPtr& source, const TagAssignment& tags, const PassOptions& options,
                                  ProgressMonitor& monitor)
{
    auto outcome = std::make_shared<SplitOutcome>();
    RunSteps steps(*outcome, "split", options, monitor);
    SUNDER_TRY(SplitResult split, steps.pass("splitting", [&] {
        return splitByTags(source->program, tags, optionsIn<SplitOptions>(options), monitor);
    }));
    outcome->split = std::move(split);
    outcome->tags = tags;
    outcome->madeFrom = tags;
    outcome->partsAreTags = true;
    SUNDER_PROPAGATE(verify(steps, source->program, *outcome, monitor));
    return outcome;
}

namespace {

Result<PartitionResult> partition(const Program& source, const PartitionRequest& request, ProgressMonitor& monitor)
{
    return request.is2020 ? sizeBasedPartition(source, request.devices(), {.exact = request.asUpstream}, monitor)
                          : acceleratorPartition(source, request.config, {.asUpstream = request.asUpstream}, monitor);
}

} // namespace

Result<void> recompute(SplitOutcome& cut, const Snapshot& source, ProgressMonitor& monitor)
{
    if (!cut.plan || cut.plan->cutFor.empty())
        return {};
    PartitionPlan& plan = *cut.plan;
    Result<PartitionResult> made = partition(source.program, plan.request, monitor);
    if (!made && !isFault(made.error()))
        SUNDER_PROPAGATE(std::move(made));
    const PartitionAtSizes now = takeFigures(source.program, made, plan.set, plan.dag);
    plan.figuresFor = assumedSizes(sizeAssumptions(source.program));
    plan.isForOtherSizes = !now.isSameCut;
    plan.refusedNow = now.why;
    return {};
}

Result<SplitOutcomePtr> makePartition(const SnapshotPtr& source, const PartitionRequest& request, ProgressMonitor& monitor)
{
    auto outcome = std::make_shared<SplitOutcome>();
    RunSteps steps(*outcome, "partition", asPassOptions(request), monitor);
    SUNDER_TRY(PartitionResult made, steps.pass("partitioning", [&] { return partition(source->program, request, monitor); }));
    outcome->split = std::move(made.split);
    outcome->tags = partAssignment(source->program, outcome->split.program, outcome->split.map);
    outcome->plan = PartitionPlan{.request = request, .set = std::move(made.set), .dag = std::move(made.dag)};
    outcome->plan->separateForwardBackward = separateForwardBackward(source->training, outcome->plan->set);
    if (!hasRecordedSizes(source->program))
        outcome->plan->cutFor = assumedSizes(sizeAssumptions(source->program));
    SUNDER_PROPAGATE(verify(steps, source->program, *outcome, monitor));
    return outcome;
}

Result<UnflattenOutcomePtr> makeUnflattened(const SnapshotPtr& source, const PassOptions& options, ProgressMonitor& monitor)
{
    auto outcome = std::make_shared<UnflattenOutcome>();
    RunSteps steps(*outcome, "unflatten", options, monitor);
    SUNDER_TRY(UnflattenResult made, steps.pass("restoring the modules", [&] {
        return unflatten(source->program, optionsIn<UnflattenOptions>(options), monitor);
    }));
    outcome->result = std::move(made);
    SUNDER_PROPAGATE(steps.verify(source->program, outcome->result.program));
    return outcome;
}

Result<RegionsOutcomePtr> makeRegions(const SnapshotPtr& source, const PassOptions& options, ProgressMonitor& monitor)
{
    auto outcome = std::make_shared<RegionsOutcome>();
    RunSteps steps(*outcome, "findRegions", options, monitor);
    SUNDER_TRY(RegionResult regions, steps.pass("looking for repeated regions", [&] {
        return findRegions(source->program, optionsIn<RegionOptions>(options), monitor);
    }));
    outcome->regions = std::move(regions);
    outcome->sharing = sharingSummary(source->program, outcome->regions, nullptr);
    return outcome;
}

Result<RegionsOutcomePtr> makeDeduplicated(const SnapshotPtr& source, const PassOptions& options, ProgressMonitor& monitor)
{
    Result<RegionsOutcomePtr> found = makeRegions(source, options, monitor);
    if (!found)
        return found;
    auto outcome = std::make_shared<RegionsOutcome>(**found);
    RunSteps steps(*outcome, "deduplicate", options, monitor);
    ProvableDedup dedup(source->program, optionsIn<RegionOptions>(options));
    do {
        SUNDER_TRY(DedupResult made, steps.pass("deduplicating repeated regions", [&] { return dedup.attempt(monitor); }));
        outcome->dedup = std::move(made);
        SUNDER_PROPAGATE(steps.verify(source->program, outcome->dedup->program));
    } while (dedup.refine(*outcome->dedup, outcome->report));
    outcome->sharing = sharingSummary(source->program, outcome->regions, &*outcome->dedup);
    return outcome;
}

Result<RunResult> verifiedAgain(const SnapshotPtr& source, const RunResult& result, ProgressMonitor& monitor)
{
    const ResultDescription& kind = descriptionOf(result->kind);
    const std::shared_ptr<Outcome> again = kind.copyWith(
        *result, [&source](Program& program) { program.operators = source->program.operators; });
    QElapsedTimer clock;
    clock.start();
    SUNDER_TRY(VerifyReport report, verifyResult(source->program, *kind.program(*again), monitor));
    again->verifySeconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    again->report = std::move(report);
    if (again->kind == SplitOutcome::kKind)
        SUNDER_PROPAGATE(verifyParts(source->program, static_cast<SplitOutcome&>(*again), monitor));
    return again;
}

} // namespace sunder
