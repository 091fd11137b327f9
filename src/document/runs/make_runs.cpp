#include "document/runs/make_runs.h"

#include "analysis/cut/part_assignment.h"
#include "passes/deduplicate/provable_dedup.h"
#include "passes/partition/partition_2020.h"
#include "passes/partition/partition_today.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/verify_result.h"

#include <QElapsedTimer>

namespace sunder {

namespace {

constexpr double kPassShare = 0.5; ///< of the progress; verifying takes about as long

/// Takes the times of the steps of a run and reports them.
class Steps {
public:
    Steps(Outcome& outcome, ProgressMonitor& monitor) : m_outcome(outcome), m_monitor(monitor) {}

    template <typename Pass>
    auto pass(const char* step, const Pass& run)
    {
        m_monitor.report(0, step);
        m_clock.start();
        auto made = run();
        m_outcome.passSeconds += seconds();
        m_outcome.when = QDateTime::currentDateTime();
        return made;
    }

    Result<void> verify(const Program& source, const Program& made)
    {
        m_monitor.report(kPassShare, "verifying that it computes the same");
        m_clock.start();
        Result<VerifyReport> report = verifyResult(source, made, m_monitor);
        m_outcome.verifySeconds += seconds();
        if (!report)
            return forward(report);
        m_outcome.report = std::move(*report);
        return {};
    }

private:
    [[nodiscard]] double seconds() const { return static_cast<double>(m_clock.nsecsElapsed()) / 1e9; }

    Outcome& m_outcome;
    ProgressMonitor& m_monitor;
    QElapsedTimer m_clock;
};

} // namespace

Result<SplitOutcomePtr> makeSplit(const SnapshotPtr& source, const TagAssignment& tags, const SplitOptions& options,
                                  ProgressMonitor& monitor)
{
    auto outcome = std::make_shared<SplitOutcome>();
    Steps steps(*outcome, monitor);
    Result<SplitResult> split =
        steps.pass("splitting", [&] { return splitByTags(source->program, tags, options, monitor); });
    if (!split)
        return forward(split);
    outcome->split = std::move(*split);
    outcome->tags = tags;
    outcome->options = options;
    if (const Result<void> verified = steps.verify(source->program, outcome->split.program); !verified)
        return forward(verified);
    return outcome;
}

Result<SplitOutcomePtr> makePartition(const SnapshotPtr& source, const PartitionRequest& request, ProgressMonitor& monitor)
{
    auto outcome = std::make_shared<SplitOutcome>();
    Steps steps(*outcome, monitor);
    Result<PartitionResult> made = steps.pass("partitioning", [&] {
        return request.is2020
            ? partition2020(source->program, request.devices(), {.exact = request.asUpstream}, monitor)
            : partitionToday(source->program, request.config, {.asUpstream = request.asUpstream}, monitor);
    });
    if (!made)
        return forward(made);
    outcome->split = std::move(made->split);
    outcome->tags = partAssignment(source->program, outcome->split.program, outcome->split.map);
    outcome->plan = PartitionPlan{.request = request, .set = std::move(made->set), .dag = std::move(made->dag)};
    if (const Result<void> verified = steps.verify(source->program, outcome->split.program); !verified)
        return forward(verified);
    return outcome;
}

Result<UnflattenOutcomePtr> makeUnflattened(const SnapshotPtr& source, const UnflattenOptions& options,
                                            ProgressMonitor& monitor)
{
    auto outcome = std::make_shared<UnflattenOutcome>();
    Steps steps(*outcome, monitor);
    Result<UnflattenResult> made =
        steps.pass("rebuilding the modules", [&] { return unflatten(source->program, options, monitor); });
    if (!made)
        return forward(made);
    outcome->result = std::move(*made);
    outcome->options = options;
    if (const Result<void> verified = steps.verify(source->program, outcome->result.program); !verified)
        return forward(verified);
    return outcome;
}

Result<RegionsOutcomePtr> makeRegions(const SnapshotPtr& source, const RegionOptions& options, ProgressMonitor& monitor)
{
    auto outcome = std::make_shared<RegionsOutcome>();
    Steps steps(*outcome, monitor);
    Result<RegionResult> regions =
        steps.pass("looking for repeated regions", [&] { return findRegions(source->program, options, monitor); });
    if (!regions)
        return forward(regions);
    outcome->regions = std::move(*regions);
    outcome->options = options;
    return outcome;
}

Result<RegionsOutcomePtr> makeDeduplicated(const SnapshotPtr& source, const RegionOptions& options,
                                           ProgressMonitor& monitor)
{
    Result<RegionsOutcomePtr> found = makeRegions(source, options, monitor);
    if (!found)
        return found;
    auto outcome = std::make_shared<RegionsOutcome>(**found);
    Steps steps(*outcome, monitor);
    ProvableDedup dedup(source->program, options);
    do {
        Result<DedupResult> made =
            steps.pass("sharing repeated regions", [&] { return dedup.attempt(monitor); });
        if (!made)
            return forward(made);
        outcome->dedup = std::move(*made);
        if (const Result<void> verified = steps.verify(source->program, outcome->dedup->program); !verified)
            return forward(verified);
    } while (dedup.refine(*outcome->dedup, outcome->report));
    return outcome;
}

namespace {

Program& programOf(SplitOutcome& outcome) { return outcome.split.program; }
Program& programOf(UnflattenOutcome& outcome) { return outcome.result.program; }
Program& programOf(RegionsOutcome& outcome) { return outcome.dedup->program; }

} // namespace

Result<RunResult> verifiedAgain(const SnapshotPtr& source, const RunResult& result, ProgressMonitor& monitor)
{
    return std::visit(
        [&](const auto& before) -> Result<RunResult> {
            auto outcome = std::make_shared<std::remove_const_t<typename std::decay_t<decltype(before)>::element_type>>(*before);
            programOf(*outcome).operators = source->program.operators;
            QElapsedTimer clock;
            clock.start();
            Result<VerifyReport> report = verifyResult(source->program, programOf(*outcome), monitor);
            if (!report)
                return forward(report);
            outcome->verifySeconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
            outcome->report = std::move(*report);
            return RunResult(std::move(outcome));
        },
        result);
}

} // namespace sunder
