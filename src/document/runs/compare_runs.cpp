#include "document/runs/compare_runs.h"

#include "document/runs/region_cards.h"
#include "document/runs/same_devices.h"
#include "document/text.h"

#include <QObject>

namespace sunder {

namespace {

/// The devices that a cut was made for, with what is on each; empty for a split by tags.
std::vector<DeviceLoad> loadsOf(const SplitOutcome& split, const CutMetrics& metrics)
{
    return split.plan ? deviceLoads(metrics, split.plan->request.devices(), devicesOfParts(metrics, split.plan->dag))
                      : std::vector<DeviceLoad>();
}

std::vector<Device> devicesOf(const SplitOutcome& split, const std::vector<Device>& now)
{
    return split.plan ? asCalledNow(split.plan->request, now) : std::vector<Device>();
}

CutRunComparison compareSplits(const Program& source, const SplitOutcome& before, const SplitOutcome& after,
                               const std::vector<Device>& now)
{
    // A partition's parts are numbered: their names say nothing of what is in them.
    const bool isByName = !before.plan && !after.plan;
    CutRunComparison made{compareCuts(cutGraph(source), before.tags, after.tags, isByName ? PartMatching::names : PartMatching::overlap),
                          {}, before.tags, after.tags};
    const std::vector<DeviceLoad> loadsBefore = loadsOf(before, made.cuts.before);
    const std::vector<DeviceLoad> loadsAfter = loadsOf(after, made.cuts.after);
    const std::vector<Device> devicesBefore = devicesOf(before, now);
    const std::vector<Device> devicesAfter = devicesOf(after, now);
    if (before.plan || after.plan)
        made.devices = compareDevices({devicesBefore, loadsBefore}, {devicesAfter, loadsAfter});
    return made;
}

/// The groups as their cards call them, with what those say that they save.
NamedRegions namedRegions(const RegionsOutcome& outcome, const Snapshot& source)
{
    NamedRegions named{outcome.regions, std::vector<InternedString>(outcome.regions.groups.size()),
                       std::vector<std::uint64_t>(outcome.regions.groups.size())};
    for (const RegionCard& card : regionCards(outcome, source)) {
        named.names[card.group] = intern(card.name.toStdString());
        named.saved[card.group] = card.saved;
    }
    return named;
}

RegionRunComparison compareSearches(const Snapshot& source, const RegionsOutcome& before, const RegionsOutcome& after)
{
    const NamedRegions namedBefore = namedRegions(before, source);
    const NamedRegions namedAfter = namedRegions(after, source);
    RegionRunComparison made{compareRegions(source.program, namedBefore, namedAfter)};
    const auto nodesOf = [&](const RegionsOutcome& run, std::uint64_t saved) {
        return run.dedup ? run.dedup->program.nodeCount() : source.program.nodeCount() - static_cast<std::size_t>(saved);
    };
    made.nodesBefore = nodesOf(before, made.regions.savedBefore());
    made.nodesAfter = nodesOf(after, made.regions.savedAfter());
    return made;
}

QString whatIs(const Run& run)
{
    const QString name = QObject::tr("run %1 (%2)").arg(run.number).arg(nameOf(run));
    switch (run.kind()) {
    case ResultKind::parts: return QObject::tr("%1 cuts the model into parts").arg(name);
    case ResultKind::hierarchy: return QObject::tr("%1 gives it its modules back").arg(name);
    case ResultKind::regions: return QObject::tr("%1 looks for what repeats in it").arg(name);
    }
    return name;
}

const AssignmentComparison& callsOf(const CutRunComparison& cut) { return cut.cuts; }
const AssignmentComparison& callsOf(const ModuleComparison& modules) { return modules; }
const AssignmentComparison& callsOf(const RegionRunComparison& search) { return search.regions; }
const RegionComparison& assigned(const RegionRunComparison& search) { return search.regions; }
template <typename T>
const T& assigned(const T& comparison) { return comparison; }

} // namespace

const AssignmentComparison& RunComparison::calls() const
{
    return std::visit([](const auto& one) -> const AssignmentComparison& { return callsOf(one); }, what);
}

const TagAssignment& RunComparison::before() const
{
    return std::visit([](const auto& one) -> const TagAssignment& { return assigned(one).before; }, what);
}

const TagAssignment& RunComparison::after() const
{
    return std::visit([](const auto& one) -> const TagAssignment& { return assigned(one).after; }, what);
}

QString whyNotComparable(const Run& before, const Run& after)
{
    if (before.kind() == after.kind())
        return {};
    const QString first = whatIs(before);
    return QObject::tr("%1, and %2: only two results of the same kind can be compared.")
        .arg(first.left(1).toUpper() + first.mid(1), whatIs(after));
}

Result<RunComparisonPtr> compareRuns(const SnapshotPtr& source, const RunResult& before, const RunResult& after,
                                     const std::vector<Device>& devices, ProgressMonitor& monitor)
{
    monitor.report(0, "comparing both runs");
    if (monitor.isCancelled())
        return fail(ErrorCode::cancelled, "Cancelled.");
    auto comparison = std::make_shared<RunComparison>();
    std::visit(
        [&]<typename T>(const T& first) {
            const auto& second = std::get<T>(after);
            if constexpr (std::is_same_v<T, SplitOutcomePtr>)
                comparison->what = compareSplits(source->program, *first, *second, devices);
            else if constexpr (std::is_same_v<T, UnflattenOutcomePtr>)
                comparison->what = compareModules(source->program, {first->result.program, first->result.map},
                                                  {second->result.program, second->result.map});
            else
                comparison->what = compareSearches(*source, *first, *second);
        },
        before);
    return comparison;
}

} // namespace sunder
