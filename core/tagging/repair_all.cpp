#include "tagging/repair_all.h"

#include "tagging/problem.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace sunder {
namespace {

constexpr std::size_t kMaxRepairs = 500;
constexpr std::size_t kWorkOfAStep = 200'000; ///< used as ProblemOptions::work
constexpr std::size_t kMaxChecks = 150;      ///< to find cheaper sets than the first one
constexpr std::size_t kMaxWays = 12;         ///< fixes to try from each state of the tags
constexpr std::size_t kMaxWaitingBytes = 64U << 20U; ///< total size of unvisited tags

/// Returns ops per removed finding, then bytes per removed finding; less is better.
std::tuple<double, double> costOf(const Repair& repair)
{
    const auto cured = static_cast<double>(std::max<std::size_t>(repair.removes.size(), 1));
    return {static_cast<double>(repair.calls) / cured, static_cast<double>(repair.bytes) / cured};
}

bool removesTags(const Repair& repair)
{
    return repair.kind == Repair::Kind::mergeTags || !repair.emptied.empty();
}

bool mayBeMade(const Repair& repair, RepairScope scope)
{
    return repair.kind != Repair::Kind::show && repair.kind != Repair::Kind::stages
        && (scope == RepairScope::removesTags || !removesTags(repair));
}

/// Returns the cheapest fixes first, without duplicates.
std::vector<Repair> cheapestOf(const Problems& problems, RepairScope scope, std::size_t most)
{
    std::vector<const Repair*> all;
    for (const Problem& problem : problems)
        for (const Repair& repair : problem.repairs)
            if (mayBeMade(repair, scope))
                all.push_back(&repair);
    std::ranges::stable_sort(all, {}, [](const Repair* repair) { return costOf(*repair); });
    std::vector<Repair> cheapest;
    for (const Repair* repair : all) {
        if (cheapest.size() == most)
            break;
        if (std::ranges::find(cheapest, repair->label, &Repair::label) == cheapest.end())
            cheapest.push_back(*repair);
    }
    return cheapest;
}

InternedString tagNameOf(const TagAssignment& tags, NodeId id)
{
    const std::int32_t tag = tags[id];
    return tag >= 0 ? tags.order[static_cast<std::size_t>(tag)] : InternedString();
}

/// Returns the name ids of tags with ops.
std::set<std::uint32_t> tagsWithOps(const TagAssignment& tags, std::span<const NodeId> calls)
{
    std::vector<char> has(tags.order.size(), 0);
    for (const NodeId id : calls)
        if (const std::int32_t tag = tags[id]; tag >= 0)
            has[static_cast<std::size_t>(tag)] = 1;
    std::set<std::uint32_t> found;
    for (std::size_t tag = 0; tag < has.size(); ++tag)
        if (has[tag] != 0)
            found.insert(tags.order[tag].id());
    return found;
}

std::vector<std::int64_t> numbersOf(const TagAssignment& tags)
{
    std::vector<std::int64_t> numbers;
    for (const InternedString name : tags.order)
        numbers.push_back(name.id());
    numbers.push_back(-2); // separates names from tags
    numbers.insert(numbers.end(), tags.tagOf.begin(), tags.tagOf.end());
    return numbers;
}

/// Applies fixes one by one: the cheapest one each time, or slightly more expensive ones.
class RepairSearch {
public:
    RepairSearch(const Snapshot& snapshot, const TagAssignment& tags, const ProblemOptions& options,
                 const DeviceQuestion& question, RepairScope scope, ProgressMonitor& monitor)
        : m_snapshot(snapshot), m_start(tags), m_given(options), m_options(options), m_question(question), m_scope(scope),
          m_monitor(monitor)
    {
        m_options.work = kWorkOfAStep;
        if (options.activeTag >= 0)
            m_active = tags.order[static_cast<std::size_t>(options.activeTag)];
    }

    RepairPlan run()
    {
        m_waiting.emplace(0, RepairPlan{.tags = m_start});
        while (!m_waiting.empty()) {
            const auto next = m_waiting.begin();
            const std::size_t slack = next->first;
            RepairPlan plan = std::move(next->second);
            m_waiting.erase(next);
            if (m_hasBest && (m_checksLeft == 0 || m_monitor.isCancelled()))
                break;
            if (m_seen.insert(numbersOf(plan.tags)).second)
                goOn(std::move(plan), slack);
        }
        noteTags();
        noteProblems();
        return std::move(m_best);
    }

private:
    /// `slack`: total number of cheaper fixes that the fixes of the plan skipped.
    void goOn(RepairPlan plan, std::size_t slack)
    {
        const Problems problems = problemsWith(plan);
        if (m_hasBest && isDearer(plan))
            return;
        const bool shouldContinue = plan.labels.size() < kMaxRepairs && !m_monitor.isCancelled();
        const std::vector<Repair> repairs = shouldContinue ? cheapestOf(problems, m_scope, kMaxWays) : std::vector<Repair>();
        bool isEnd = true;
        const std::size_t room = kMaxWaitingBytes / (plan.tags.tagOf.size() * sizeof(std::int32_t) + 1);
        for (std::size_t place = repairs.size(); place-- > 0;) { // with equal slack, the last one inserted comes first
            if (place > 0 && m_waiting.size() >= room)
                continue;
            Result<TagAssignment> after = repaired(m_snapshot, plan.tags, repairs[place]);
            if (!after || losesTags(*after))
                continue;
            isEnd = false;
            RepairPlan next{.tags = std::move(*after), .labels = plan.labels};
            next.labels.push_back(repairs[place].label);
            m_waiting.emplace_hint(m_waiting.lower_bound(slack + place), slack + place, std::move(next));
        }
        if (isEnd)
            finish(std::move(plan), problems);
    }

    /// Returns whether a tag loses its last ops although tags must be kept. This may also happen with fixes that usually keep
    /// tags, such as `follow`.
    [[nodiscard]] bool losesTags(const TagAssignment& after) const
    {
        return m_scope == RepairScope::keepsTags
            && !std::ranges::includes(tagsWithOps(after, m_state->tables().nodes), m_startTags);
    }

    /// Uses the caller's budget, since it determines which problems are grouped.
    void noteProblems()
    {
        ProblemOptions options = m_given;
        const TagCheck before = checkOf(m_snapshot, m_start, options, m_question, m_state);
        m_best.problems = static_cast<std::size_t>(std::ranges::count_if(before.problems, isCounted));
        const auto active = std::ranges::find(m_best.tags.order, m_active);
        options.activeTag = active != m_best.tags.order.end() ? static_cast<int>(active - m_best.tags.order.begin()) : -1;
        options.proof = {}; // was for the initial tags
        const TagCheck after = checkOf(m_snapshot, m_best.tags, options, m_question, before.state);
        m_best.staying.clear();
        for (const bool counted : {true, false})
            for (const Problem& problem : after.problems)
                if (isCounted(problem) == counted && problem.kind != Problem::Kind::noValues) {
                    m_best.staying.push_back(problem.text);
                    m_best.problemsStaying += counted ? 1 : 0;
                }
    }

    void noteTags()
    {
        const std::set<std::uint32_t> left = tagsWithOps(m_best.tags, m_state->tables().nodes);
        m_best.tagsLeft = left.size();
        for (const InternedString name : m_start.order)
            if (m_startTags.contains(name.id()) && !left.contains(name.id()))
                m_best.removed.push_back(name);
    }

    /// Returns the problems of a plan's tags; fills in the cost of the plan.
    Problems problemsWith(RepairPlan& plan)
    {
        m_checksLeft -= m_hasBest && m_checksLeft > 0 ? 1 : 0;
        const auto at = std::ranges::find(plan.tags.order, m_active);
        m_options.activeTag = at != plan.tags.order.end() ? static_cast<int>(at - plan.tags.order.begin()) : -1;
        TagCheck check = checkOf(m_snapshot, plan.tags, m_options, m_question, m_state);
        m_options.proof = {}; // was for the initial tags
        m_state = check.state;
        if (plan.labels.empty())
            m_startTags = tagsWithOps(m_start, m_state->tables().nodes);
        MemorySum weights(m_snapshot.memory.bytes);
        for (const NodeId id : m_state->tables().nodes)
            if (tagNameOf(m_start, id) != tagNameOf(plan.tags, id)) {
                ++plan.calls;
                plan.bytes += weights.add(m_snapshot.reads.of(id));
            }
        return std::move(check.problems);
    }

    [[nodiscard]] bool isDearer(const RepairPlan& plan) const
    {
        return m_best.staying.empty() && std::tuple(plan.calls, plan.bytes) >= std::tuple(m_best.calls, m_best.bytes);
    }

    void finish(RepairPlan plan, const Problems& problems)
    {
        for (const Problem& problem : problems)
            if (problem.kind != Problem::Kind::noValues) // does not depend on tags
                plan.staying.push_back(problem.blocked.empty() ? problem.text
                                                               : problem.text + ' ' + describe(problem.blocked.front()) + '.');
        const auto price = [](const RepairPlan& one) { return std::tuple(one.staying.size(), one.calls, one.bytes); };
        if (!m_hasBest || price(plan) < price(m_best))
            m_best = std::move(plan);
        m_hasBest = true;
    }

    const Snapshot& m_snapshot;
    const TagAssignment& m_start;
    ProblemOptions m_given;
    ProblemOptions m_options;
    DeviceQuestion m_question;
    RepairScope m_scope;
    ProgressMonitor& m_monitor;
    InternedString m_active;
    std::set<std::uint32_t> m_startTags; ///< name ids of the initial tags with ops
    LegalityStatePtr m_state;
    RepairPlan m_best;
    bool m_hasBest = false;
    std::multimap<std::size_t, RepairPlan> m_waiting; ///< by slack
    std::set<std::vector<std::int64_t>> m_seen; ///< visited tags
    std::size_t m_checksLeft = kMaxChecks;
};

} // namespace

RepairPlan repairAll(const Snapshot& snapshot, const TagAssignment& tags, const ProblemOptions& options,
                     const DeviceQuestion& question, RepairScope scope, ProgressMonitor& monitor)
{
    return RepairSearch(snapshot, tags, options, question, scope, monitor).run();
}

RepairChoice repairChoice(const Snapshot& snapshot, const TagAssignment& tags, const ProblemOptions& options,
                          const DeviceQuestion& question, ProgressMonitor& monitor)
{
    RepairChoice choice{repairAll(snapshot, tags, options, question, RepairScope::keepsTags, monitor)};
    if (choice.keeping.staying.empty() || monitor.isCancelled())
        return choice;
    RepairPlan removing = repairAll(snapshot, tags, options, question, RepairScope::removesTags, monitor);
    const auto left = [](const RepairPlan& plan) { return std::pair(plan.problemsStaying, plan.staying.size()); };
    if (!removing.removed.empty() && left(removing) < left(choice.keeping))
        choice.removing = std::move(removing);
    return choice;
}

} // namespace sunder
