#include "tagging/repair_all.h"

#include "tagging/repaired_tags.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace sunder {
namespace {

constexpr std::size_t kMostRepairs = 500;
constexpr std::size_t kWorkOfAStep = 200'000; ///< ProblemOptions::work
constexpr std::size_t kMostChecks = 150;      ///< on the way to cheaper sets than the first one
constexpr std::size_t kMostWays = 12;         ///< to go on from tags
constexpr std::size_t kMostWaitingBytes = 64U << 20U; ///< of tags that were not looked at yet

/// Ops for each finding, bytes for each: the less the better.
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

/// The cheapest first, those that do the same once.
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

/// Ids of the names of tags that ops have.
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
    numbers.push_back(-2); // what follows are no names
    numbers.insert(numbers.end(), tags.tagOf.begin(), tags.tagOf.end());
    return numbers;
}

/// Repairs one after the other, each time the cheapest or one that is a little dearer.
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
    /// `slack`: how many places dearer than the cheapest ones the repairs of the plan are, all together.
    void goOn(RepairPlan plan, std::size_t slack)
    {
        const Problems problems = problemsWith(plan);
        if (m_hasBest && isDearer(plan))
            return;
        const bool goesOn = plan.labels.size() < kMostRepairs && !m_monitor.isCancelled();
        const std::vector<Repair> repairs = goesOn ? cheapestOf(problems, m_scope, kMostWays) : std::vector<Repair>();
        bool isEnd = true;
        const std::size_t room = kMostWaitingBytes / (plan.tags.tagOf.size() * sizeof(std::int32_t) + 1);
        for (std::size_t place = repairs.size(); place-- > 0;) { // of equal slack the last one in comes first
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

    /// Also where a repair that is to keep tags takes the last ops of one, as letting the backward pass follow may.
    [[nodiscard]] bool losesTags(const TagAssignment& after) const
    {
        return m_scope == RepairScope::keepsTags
            && !std::ranges::includes(tagsWithOps(after, m_state->tables().nodes), m_startTags);
    }

    /// Told with as much work as whoever asks lists problems with: which go with others depends on it.
    void noteProblems()
    {
        ProblemOptions options = m_given;
        const TagCheck before = checkOf(m_snapshot, m_start, options, m_question, m_state);
        m_best.problems = static_cast<std::size_t>(std::ranges::count_if(before.problems, isCounted));
        const auto active = std::ranges::find(m_best.tags.order, m_active);
        options.activeTag = active != m_best.tags.order.end() ? static_cast<int>(active - m_best.tags.order.begin()) : -1;
        options.proof = {}; // of the tags that were
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

    /// What there is to be said of the tags of a plan, whose price is put in.
    Problems problemsWith(RepairPlan& plan)
    {
        m_checksLeft -= m_hasBest && m_checksLeft > 0 ? 1 : 0;
        const auto at = std::ranges::find(plan.tags.order, m_active);
        m_options.activeTag = at != plan.tags.order.end() ? static_cast<int>(at - plan.tags.order.begin()) : -1;
        TagCheck check = checkOf(m_snapshot, plan.tags, m_options, m_question, m_state);
        m_options.proof = {}; // of the tags that were
        m_state = check.state;
        if (plan.labels.empty())
            m_startTags = tagsWithOps(m_start, m_state->tables().nodes);
        for (const NodeId id : m_state->tables().nodes)
            if (tagNameOf(m_start, id) != tagNameOf(plan.tags, id)) {
                ++plan.calls;
                plan.bytes += m_snapshot.sizes.parameterBytes[id.index()];
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
            if (problem.kind != Problem::Kind::noValues) // no tags change that
                plan.staying.push_back(problem.text);
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
    std::set<std::uint32_t> m_startTags; ///< ids of names of those with ops
    LegalityStatePtr m_state;
    RepairPlan m_best;
    bool m_hasBest = false;
    std::multimap<std::size_t, RepairPlan> m_waiting; ///< by slack
    std::set<std::vector<std::int64_t>> m_seen; ///< tags
    std::size_t m_checksLeft = kMostChecks;
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
