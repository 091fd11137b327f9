#include "passes/balance/step_search.h"

#include "passes/balance/balance_graph.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace sunder {
namespace {

constexpr double kShorter = 1 - 1e-9; ///< a smaller ratio is an improvement

std::uint32_t kindOf(const BalanceProblem& problem, std::uint32_t stage)
{
    return problem.devices[stage].kind;
}

double forwardSeconds(const BalanceProblem& problem, const StepObjective& objective, std::uint32_t kind, std::uint32_t node)
{
    return problem.seconds[kind][node] - (objective.backward.empty() ? 0 : objective.backward[kind][node]);
}

double backwardSeconds(const BalanceProblem& problem, const StepObjective& objective, std::uint32_t kind, std::uint32_t node)
{
    return objective.backward.empty() ? 2 * problem.seconds[kind][node] : objective.backward[kind][node];
}

/// How often a path runs through the actions of each stage.
struct PathCounts {
    std::vector<double> forward; ///< per stage
    std::vector<double> backward;

    explicit PathCounts(std::uint32_t stages) : forward(stages, 0), backward(stages, 0) {}
};

/// Follows the actions that determine the step, from the last one to the start.
class CriticalPath {
public:
    CriticalPath(const PipelineOrder& order, const Timetable& times) : m_order(order), m_times(times)
    {
        const std::size_t cells = std::size_t{order.sizes.stages} * order.sizes.microBatches;
        m_placeOf.resize(2 * cells);
        for (std::uint32_t rank = 0; rank < times.actions.size(); ++rank)
            for (std::uint32_t at = 0; at < times.actions[rank].size(); ++at)
                if (const PipelineAction& action = times.actions[rank][at].action; action.kind != ActionKind::weightGradient)
                    m_placeOf[cell(action.stage, action.microBatch, action.kind != ActionKind::forward)] = {rank, at};
    }

    /// Adds the actions of the path. Of two reasons for a start, `prefersRank` chooses the previous action of the rank.
    void addTo(PathCounts& counts, bool prefersRank) const
    {
        Place place;
        for (std::uint32_t rank = 0; rank < m_times.actions.size(); ++rank)
            if (!m_times.actions[rank].empty() && m_times.actions[rank].back().end >= m_times.step)
                place = {rank, static_cast<std::uint32_t>(m_times.actions[rank].size() - 1)};
        for (bool isOpen = true; isOpen; isOpen = moveBack(place, prefersRank)) {
            const PipelineAction& action = at(place).action;
            counts.forward[action.stage] += action.kind == ActionKind::forward ? 1 : 0;
            counts.backward[action.stage] += action.kind == ActionKind::forward ? 0
                : action.kind == ActionKind::backward                           ? 1
                                                                                : 0.5;
        }
    }

private:
    struct Place {
        std::uint32_t rank = 0;
        std::uint32_t index = 0;
    };

    [[nodiscard]] std::size_t cell(std::uint32_t stage, std::uint32_t batch, bool isBackward) const
    {
        return ((isBackward ? m_order.sizes.stages : 0) + std::size_t{stage}) * m_order.sizes.microBatches + batch;
    }
    [[nodiscard]] const TimedAction& at(Place place) const { return m_times.actions[place.rank][place.index]; }

    /// Moves to an action that ends when this one starts. Returns false at the start of the step.
    bool moveBack(Place& place, bool prefersRank) const
    {
        const TimedAction& timed = at(place);
        const PipelineAction& action = timed.action;
        const bool isBackward = action.kind != ActionKind::forward;
        const bool hasInput = action.kind != ActionKind::weightGradient
            && (isBackward ? action.stage + 1 < m_order.sizes.stages : action.stage > 0);
        const bool hasPrevious = place.index > 0;
        if (!hasInput && !hasPrevious)
            return false;
        const Place previous{place.rank, place.index - 1};
        const Place input = hasInput
            ? m_placeOf[cell(isBackward ? action.stage + 1 : action.stage - 1, action.microBatch, isBackward)]
            : Place();
        const bool isPrevious = hasPrevious
            && (!hasInput || (prefersRank ? at(previous).end >= timed.start : at(input).end < timed.start));
        place = isPrevious ? previous : input;
        return true;
    }

    const PipelineOrder& m_order;
    const Timetable& m_times;
    std::vector<Place> m_placeOf; ///< of forward and of backward actions by stage and micro-batch
};

/// The step of divisible work without transfers.
struct RelaxedStep {
    double bound = 0;
    std::vector<double> shares = {}; ///< per stage: of the work, in the distribution with the shortest step
};

RelaxedStep relaxedStep(const BalanceProblem& problem, const StepObjective& objective)
{
    constexpr double kRate = 4;
    constexpr double kEffort = 2e7; ///< actions
    const std::uint32_t stages = objective.order.sizes.stages;
    const int rounds = static_cast<int>(std::clamp(kEffort / static_cast<double>(objective.order.actionCount()), 40.0, 400.0));
    std::vector<PipelineCosts::Stage> all(stages); // of all ops, if the stage ran them
    for (std::uint32_t stage = 0; stage < stages; ++stage)
        for (std::uint32_t node = 0; node < problem.nodes; ++node) {
            all[stage].forward += forwardSeconds(problem, objective, kindOf(problem, stage), node);
            all[stage].backward += backwardSeconds(problem, objective, kindOf(problem, stage), node);
        }
    PipelineCosts costs = unitCosts(objective.order);
    PathCounts sum(stages);
    std::vector<double> weight(stages, 0); // logarithm of the share of the work
    double counted = 0;
    RelaxedStep relaxed{.shares = std::vector<double>(stages, 1.0 / stages)};
    double shortest = std::numeric_limits<double>::infinity();
    std::vector<double> shares(stages);
    for (int round = 1; round <= rounds; ++round) {
        const double most = std::ranges::max(weight);
        double total = 0;
        for (const double one : weight)
            total += std::exp(one - most);
        for (std::uint32_t stage = 0; stage < stages; ++stage) {
            const double share = shares[stage] = std::exp(weight[stage] - most) / total;
            costs.stages[stage].forward = all[stage].forward * share;
            costs.stages[stage].backward = all[stage].backward * share;
        }
        const Timetable times = timetable(objective.order, costs);
        if (times.step <= 0)
            return relaxed;
        if (times.step < shortest) {
            shortest = times.step;
            relaxed.shares = shares;
        }
        PathCounts path(stages);
        CriticalPath(objective.order, times).addTo(path, round % 2 == 0);
        // Later rounds count more, since they are nearer to the best distribution.
        const double importance = round;
        counted += importance;
        for (std::uint32_t stage = 0; stage < stages; ++stage) {
            sum.forward[stage] += importance * path.forward[stage];
            sum.backward[stage] += importance * path.backward[stage];
            const double charge = path.forward[stage] * all[stage].forward + path.backward[stage] * all[stage].backward;
            weight[stage] -= kRate / std::sqrt(round) / stages * charge / times.step;
        }
        if (round % 20 != 0)
            continue;
        double least = 0;
        for (std::uint32_t node = 0; node < problem.nodes; ++node) {
            double cheapest = std::numeric_limits<double>::infinity();
            for (std::uint32_t stage = 0; stage < stages; ++stage) {
                const std::uint32_t kind = kindOf(problem, stage);
                cheapest = std::min(cheapest,
                                    sum.forward[stage] * forwardSeconds(problem, objective, kind, node)
                                        + sum.backward[stage] * backwardSeconds(problem, objective, kind, node));
            }
            least += cheapest / counted;
        }
        relaxed.bound = std::max(relaxed.bound, least);
    }
    return relaxed;
}

/// Moves units across the boundaries of stages.
class StepDescent {
public:
    StepDescent(const BalanceProblem& problem, const StepObjective& objective, double effort, ProgressMonitor& monitor)
        : m_problem(problem), m_objective(objective), m_graph(balanceGraph(problem, Contraction::groups, LinkView::neighbors)),
          m_left(effort), m_monitor(monitor), m_actions(static_cast<double>(objective.order.actionCount()))
    {
    }

    /// Starts at a cut of nodes.
    void descendFrom(const std::vector<std::uint32_t>& stageOf)
    {
        std::vector<std::uint32_t> units(m_graph.units);
        for (std::uint32_t unit = 0; unit < m_graph.units; ++unit)
            units[unit] = stageOf[m_graph.members[unit].front()];
        descend(std::move(units));
    }

    /// Starts at a cut of the topological order with these shares of work; does nothing if it does not fit.
    void descendFromShares(std::span<const double> shares)
    {
        const auto stages = static_cast<std::uint32_t>(shares.size());
        if (m_graph.units < stages)
            return;
        std::vector<std::uint32_t> units(m_graph.units, 0);
        double work = 0;
        double end = shares.front() * m_graph.allWork();
        std::uint32_t stage = 0;
        std::uint32_t taken = 0;
        for (std::uint32_t unit = 0; unit < m_graph.units; ++unit) {
            const bool isFull = taken > 0 && work + m_graph.work[unit] / 2 > end;
            if (stage + 1 < stages && (isFull || m_graph.units - unit < stages - stage)) {
                end += shares[++stage] * m_graph.allWork();
                taken = 0;
            }
            units[unit] = stage;
            work += m_graph.work[unit];
            ++taken;
        }
        if (stage + 1 == stages && fits(units))
            descend(std::move(units));
    }

    [[nodiscard]] StepCut finished() const
    {
        return {.stageOf = m_graph.expanded(m_best, m_problem.nodes), .step = m_bestStep, .tried = m_tried};
    }

private:
    [[nodiscard]] bool isSpent() const { return m_left <= 0 || m_monitor.isCancelled(); }

    void descend(std::vector<std::uint32_t> units)
    {
        m_now = std::move(units);
        m_step = stepOf(m_now);
        while (!isSpent() && improveOnce()) {
        }
        if (m_best.empty() || m_step < m_bestStep * kShorter) {
            m_best = m_now;
            m_bestStep = m_step;
        }
    }

    double stepOf(std::span<const std::uint32_t> units)
    {
        ++m_tried;
        m_left -= m_actions + m_problem.nodes;
        const std::vector<std::uint32_t> stageOf = m_graph.expanded(units, m_problem.nodes);
        return timetable(m_objective.order, stepCosts(m_problem, m_objective, stageOf)).step;
    }

    [[nodiscard]] bool fits(std::span<const std::uint32_t> units) const
    {
        std::vector<std::uint32_t> deviceOf(m_problem.devices.size());
        std::iota(deviceOf.begin(), deviceOf.end(), 0U);
        const std::vector<BalanceLoad> loads = balanceLoads(m_problem, m_graph.expanded(units, m_problem.nodes), deviceOf);
        for (std::size_t stage = 0; stage < loads.size(); ++stage)
            if (loads[stage].bytes > m_problem.devices[stage].memory)
                return false;
        return true;
    }

    /// Tries to move units from each stage to others, and keeps the best of these cuts.
    bool improveOnce()
    {
        std::vector<std::vector<std::uint32_t>> unitsOf(m_problem.devices.size());
        for (std::uint32_t unit = 0; unit < m_graph.units; ++unit)
            unitsOf[m_now[unit]].push_back(unit);
        std::vector<std::uint32_t> best;
        double bestStep = m_step * kShorter;
        const auto offerCut = [&](std::vector<std::uint32_t> cut) {
            const double step = stepOf(cut);
            if (step < bestStep && fits(cut)) {
                bestStep = step;
                best = std::move(cut);
            }
        };
        for (std::uint32_t stage = 0; stage + 1 < unitsOf.size() && !isSpent(); ++stage)
            for (const bool isForth : {true, false})
                trySingles(unitsOf[isForth ? stage : stage + 1], isForth, isForth ? stage + 1 : stage, offerCut);
        for (std::uint32_t from = 0; from < unitsOf.size() && !isSpent(); ++from)
            for (std::uint32_t to = 0; to < unitsOf.size() && !isSpent(); ++to)
                for (std::size_t count = 1; from != to && count < unitsOf[from].size() && !isSpent(); count *= 2)
                    offerCut(shifted(unitsOf, from, to, count));
        if (best.empty())
            return false;
        m_now = std::move(best);
        m_step = bestStep;
        return true;
    }

    /// Returns the cut with `count` units less in one stage and more in another one. Each stage between them passes as many on. Units are in
    /// topological order: the last ones can move on, and the first ones back.
    [[nodiscard]] std::vector<std::uint32_t> shifted(const std::vector<std::vector<std::uint32_t>>& unitsOf, std::uint32_t from,
                                                     std::uint32_t to, std::size_t count) const
    {
        std::vector<std::uint32_t> cut = m_now;
        const std::uint32_t step = from < to ? 1 : static_cast<std::uint32_t>(-1);
        for (std::uint32_t stage = from; stage != to; stage += step) {
            const std::span<const std::uint32_t> units = unitsOf[stage];
            const std::size_t moved = std::min(count, units.size());
            for (const std::uint32_t unit : from < to ? units.last(moved) : units.first(moved))
                cut[unit] = stage + step;
        }
        return cut;
    }

    /// Tries single units without a neighbor in their stage on the other side.
    template <typename Offer>
    void trySingles(const std::vector<std::uint32_t>& units, bool isForth, std::uint32_t to, const Offer& offerCut)
    {
        constexpr std::size_t kMostSingles = 16;
        std::size_t singles = 0;
        for (std::size_t i = 1; i < units.size() && singles < kMostSingles && !isSpent(); ++i) {
            const std::uint32_t unit = isForth ? units[units.size() - 1 - i] : units[i];
            const std::vector<std::uint32_t>& neighbors = isForth ? m_graph.after[unit] : m_graph.before[unit];
            if (std::ranges::any_of(neighbors, [&](std::uint32_t other) { return m_now[other] == m_now[unit]; }))
                continue;
            std::vector<std::uint32_t> cut = m_now;
            cut[unit] = to;
            offerCut(std::move(cut));
            ++singles;
        }
    }

    const BalanceProblem& m_problem;
    const StepObjective& m_objective;
    BalanceGraph m_graph;
    double m_left;
    ProgressMonitor& m_monitor;
    double m_actions;
    std::vector<std::uint32_t> m_now; ///< per unit
    double m_step = 0;
    std::vector<std::uint32_t> m_best;
    double m_bestStep = 0;
    std::size_t m_tried = 0;
};

} // namespace

PipelineCosts stepCosts(const BalanceProblem& problem, const StepObjective& objective, std::span<const std::uint32_t> stageOf)
{
    const std::vector<std::uint32_t>& rankOf = objective.order.rankOf;
    PipelineCosts costs;
    costs.stages.resize(rankOf.size());
    for (std::uint32_t node = 0; node < problem.nodes; ++node) {
        const std::uint32_t kind = kindOf(problem, stageOf[node]);
        costs.stages[stageOf[node]].forward += forwardSeconds(problem, objective, kind, node);
        costs.stages[stageOf[node]].backward += backwardSeconds(problem, objective, kind, node);
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, PipelineCosts::Transfer> transfers;
    for (std::uint32_t stage = 0; stage + 1 < rankOf.size(); ++stage)
        transfers[{stage, stage + 1}] = {.from = stage, .to = stage + 1};
    std::vector<std::uint32_t> stages;
    for (const BalanceProblem::Value& value : problem.values) {
        const std::uint32_t home = stageOf[value.producer];
        stages.clear();
        for (const std::uint32_t reader : value.readers)
            if (stageOf[reader] != home)
                stages.push_back(stageOf[reader]);
        sortUnique(stages);
        for (const std::uint32_t stage : stages) {
            const auto [from, to] = std::minmax(home, stage);
            const auto [at, isNew] = transfers.try_emplace({from, to},
                                                           PipelineCosts::Transfer{.from = from, .to = to, .hasGradient = false});
            PipelineCosts::Transfer& transfer = at->second;
            const bool isShared = rankOf[home] == rankOf[stage];
            if (home < stage)
                transfer.forward += isShared ? 0 : problem.transfer(value, home, stage);
            if (home > stage || value.hasGradient) {
                transfer.backward += isShared ? 0 : problem.transfer(value, std::max(home, stage), std::min(home, stage));
                transfer.hasGradient = true;
            }
        }
    }
    for (const auto& [stagesOf, transfer] : transfers)
        costs.transfers.push_back(transfer);
    return costs;
}

StepCut fastestStep(const BalanceProblem& problem, const StepObjective& objective,
                    std::span<const std::vector<std::uint32_t>> starts, double effort, ProgressMonitor& monitor)
{
    const RelaxedStep relaxed = relaxedStep(problem, objective);
    StepDescent descent(problem, objective, effort, monitor);
    for (const std::vector<std::uint32_t>& start : starts)
        descent.descendFrom(start);
    descent.descendFromShares(relaxed.shares);
    StepCut cut = descent.finished();
    cut.bound = std::min(cut.step, relaxed.bound);
    return cut;
}

} // namespace sunder
