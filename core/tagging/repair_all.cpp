#include "tagging/repair_all.h"

#include "tagging/repaired_tags.h"

#include <algorithm>
#include <tuple>

namespace sunder {
namespace {

constexpr std::size_t kMostRepairs = 500;
constexpr std::size_t kWorkOfAStep = 200'000; ///< ProblemOptions::work

/// Ops for each finding, bytes for each: the less the better.
std::tuple<double, double> costOf(const Repair& repair)
{
    const auto cured = static_cast<double>(std::max<std::size_t>(repair.removes.size(), 1));
    return {static_cast<double>(repair.calls) / cured, static_cast<double>(repair.bytes) / cured};
}

const Repair* cheapestOf(const Problems& problems)
{
    const Repair* best = nullptr;
    for (const Problem& problem : problems)
        for (const Repair& repair : problem.repairs)
            if (repair.kind != Repair::Kind::show && repair.kind != Repair::Kind::stages
                && (best == nullptr || costOf(repair) < costOf(*best)))
                best = &repair;
    return best;
}

InternedString tagNameOf(const TagAssignment& tags, NodeId id)
{
    const std::int32_t tag = tags[id];
    return tag >= 0 ? tags.order[static_cast<std::size_t>(tag)] : InternedString();
}

} // namespace

RepairPlan repairAll(const Snapshot& snapshot, const TagAssignment& tags, const ProblemOptions& options,
                     const DeviceQuestion& question, ProgressMonitor& monitor)
{
    ProblemOptions asked = options;
    asked.work = kWorkOfAStep;
    RepairPlan plan{.tags = tags};
    TagCheck check = checkOf(snapshot, tags, asked, question);
    plan.problems = check.problems.size();
    const InternedString active = options.activeTag >= 0 ? tags.order[static_cast<std::size_t>(options.activeTag)]
                                                         : InternedString();
    while (plan.labels.size() < kMostRepairs && !monitor.isCancelled()) {
        const Repair* best = cheapestOf(check.problems);
        if (best == nullptr)
            break;
        Result<TagAssignment> after = repaired(snapshot, plan.tags, *best);
        if (!after)
            break;
        plan.labels.push_back(best->label);
        plan.tags = std::move(*after);
        const auto at = std::ranges::find(plan.tags.order, active);
        asked.activeTag = at != plan.tags.order.end() ? static_cast<int>(at - plan.tags.order.begin()) : -1;
        asked.proof = {}; // of the tags that were
        check = checkOf(snapshot, plan.tags, asked, question, check.state);
    }
    for (const Problem& problem : check.problems)
        plan.staying.push_back(problem.text);
    for (const NodeId id : check.state->tables().nodes)
        if (tagNameOf(tags, id) != tagNameOf(plan.tags, id)) {
            ++plan.calls;
            plan.bytes += snapshot.sizes.parameterBytes[id.index()];
        }
    return plan;
}

} // namespace sunder
