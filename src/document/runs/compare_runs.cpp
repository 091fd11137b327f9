#include "document/runs/compare_runs.h"

#include "document/runs/result_kinds.h"
#include "document/text.h"

namespace sunder {
namespace {

QString whatIs(const Run& run)
{
    return descriptionOf(run.kind()).does.arg(tr("run %1 (%2)").arg(run.number).arg(nameOf(run)));
}

const AssignmentComparison& callsOf(const CutRunComparison& cut)
{
    return cut.cuts;
}
const AssignmentComparison& callsOf(const ModuleComparison& modules)
{
    return modules;
}
const AssignmentComparison& callsOf(const RegionRunComparison& search)
{
    return search.regions;
}
const RegionComparison& assigned(const RegionRunComparison& search)
{
    return search.regions;
}
template <typename T>
const T& assigned(const T& comparison)
{
    return comparison;
}

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
    const QString first = whatIs(before);
    const QString capital = first.left(1).toUpper() + first.mid(1);
    if (before.kind() != after.kind())
        return tr("%1, but %2: only results of the same kind can be compared.").arg(capital, whatIs(after));
    return descriptionOf(before.kind()).compare != nullptr ? QString()
                                                           : tr("%1: results of this kind cannot be compared.").arg(capital);
}

Result<RunComparisonPtr> compareRuns(const SnapshotPtr& source, const RunResult& before, const RunResult& after,
                                     const std::vector<Device>& devices, ProgressMonitor& monitor)
{
    monitor.report(0, "comparing both runs");
    SUNDER_PROPAGATE(monitor.check());
    return std::make_shared<const RunComparison>(descriptionOf(before->kind).compare(*source, *before, *after, devices));
}

} // namespace sunder
