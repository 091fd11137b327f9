#include "passes/balance/balance_graph.h"
#include "passes/balance/set_search.h"
#include "passes/balance/unit_orders.h"
#include "support/format.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sunder {
namespace {

/// The best cut so far and the bound.
class Search {
public:
    Search(const BalanceProblem& problem, const BalanceLimits& limits, ProgressMonitor& monitor)
        : m_problem(problem), m_limits(limits), m_budget(limits.steps, monitor)
    {
    }

    Result<BalanceResult> run()
    {
        const bool hasMatrix = m_problem.links.size() > 1;
        const BalanceGraph graph = balanceGraph(m_problem, Contraction::lossless, LinkView::neighbors);
        const BalanceGraph groups = balanceGraph(m_problem, Contraction::groups, LinkView::neighbors);
        m_allowsEmpty = groups.units < m_problem.deviceCount();
        m_result.units = graph.units;
        const BalanceLevels levels = balanceLevels(graph, m_problem.anyOrder);
        if (levels.levels.empty())
            return fail(ErrorCode::refused, "the devices differ too much to be used in any order");
        m_result.bound = firstBound(graph, levels);
        findStart(graph.units >= m_problem.deviceCount() || m_allowsEmpty ? graph : groups, levels);
        if (hasMatrix)
            prove(balanceGraph(m_problem, Contraction::lossless, LinkView::fastest),
                  balanceGraph(m_problem, Contraction::groups, LinkView::fastest));
        else
            prove(graph, groups);
        return finished();
    }

private:
    [[nodiscard]] bool hasCut() const { return !m_result.stageOf.empty(); }
    /// A load that no cut reaches.
    [[nodiscard]] double unlimited(const BalanceGraph& graph) const
    {
        double most = 1;
        for (const BalanceGraph::Class& of : graph.classes) {
            double all = std::accumulate(of.seconds.begin(), of.seconds.end(), 1.0);
            all += std::accumulate(of.left.begin(), of.left.end(), 0.0) + std::accumulate(of.right.begin(), of.right.end(), 0.0);
            most = std::max(most, 2 * all);
        }
        return most;
    }
    [[nodiscard]] double limitOf(const BalanceGraph& graph) const { return hasCut() ? m_result.load : unlimited(graph); }

    /// The mean work per device, and the largest unit.
    static double firstBound(const BalanceGraph& graph, const BalanceLevels& levels)
    {
        double bound = levels.levels.front().open > 0 ? graph.allWork() / levels.levels.front().open : 0;
        for (std::uint32_t unit = 0; unit < graph.units; ++unit) {
            double least = std::numeric_limits<double>::infinity();
            for (const BalanceGraph::Class& of : graph.classes)
                least = std::min(least, of.seconds[unit]);
            bound = std::max(bound, least);
        }
        return bound;
    }

    /// Keeps a cut if it is legal and the best so far. Returns whether it was kept.
    bool offer(const BalanceGraph& graph, const UnitCut& cut)
    {
        const std::vector<std::uint32_t> deviceOf = devicesOf(graph, cut);
        std::vector<std::uint32_t> stageOf = graph.expanded(cut.stageOf, m_problem.nodes);
        if (!m_allowsEmpty) {
            std::vector<char> isUsed(deviceOf.size(), 0);
            for (const std::uint32_t stage : stageOf)
                isUsed[stage] = 1;
            if (std::ranges::count(isUsed, 0) > 0)
                return false;
        }
        std::vector<BalanceLoad> loads = balanceLoads(m_problem, stageOf, deviceOf);
        double load = 0;
        for (std::size_t stage = 0; stage < loads.size(); ++stage) {
            load = std::max(load, loads[stage].load);
            if (loads[stage].bytes > m_problem.devices[deviceOf[stage]].memory)
                return false;
        }
        if (hasCut() && load >= m_result.load)
            return false;
        m_result.stageOf = std::move(stageOf);
        m_result.deviceOf = deviceOf;
        m_result.loads = std::move(loads);
        m_result.load = load;
        return true;
    }

    /// Devices of the classes of a cut's stages, each class in list order.
    static std::vector<std::uint32_t> devicesOf(const BalanceGraph& graph, const UnitCut& cut)
    {
        std::vector<std::uint32_t> next(graph.classes.size(), 0);
        std::vector<std::uint32_t> deviceOf;
        for (const std::uint32_t of : cut.classes) {
            std::uint32_t& device = next[of];
            while (graph.classOf[device] != of)
                ++device;
            deviceOf.push_back(device++);
        }
        return deviceOf;
    }

    /// The stages of an order with equal work per rate of their devices, none empty if there are enough units.
    static UnitCut evenCut(const BalanceGraph& graph, const std::vector<std::uint32_t>& order)
    {
        UnitCut cut;
        cut.classes = graph.classOf;
        cut.stageOf.assign(graph.units, 0);
        const auto stages = static_cast<std::uint32_t>(cut.classes.size());
        double rates = 0;
        for (const std::uint32_t of : cut.classes)
            rates += graph.classes[of].ratio > 0 ? 1 / graph.classes[of].ratio : 1;
        double work = 0;
        double share = 0;
        std::uint32_t place = 0;
        for (std::uint32_t stage = 0; stage < stages; ++stage) {
            const double ratio = graph.classes[cut.classes[stage]].ratio;
            share += (ratio > 0 ? 1 / ratio : 1) / rates * graph.allWork();
            const std::uint32_t later = stages - 1 - stage;
            for (std::uint32_t taken = 0; place < graph.units && (stage + 1 == stages || graph.units - place > later); ++taken) {
                const double next = graph.work[order[place]];
                if (taken > 0 && stage + 1 < stages && work + next / 2 > share)
                    break;
                work += next;
                cut.stageOf[order[place++]] = stage;
            }
        }
        return cut;
    }

    /// Cuts by orders, with boundaries moved.
    void findStart(const BalanceGraph& graph, const BalanceLevels& levels)
    {
        const double most = unlimited(graph);
        std::optional<UnitCut> best;
        const std::vector<std::vector<std::uint32_t>> orders = startingOrders(graph);
        const double reserved = m_budget.reserveAllBut(m_budget.left() / 3);
        for (const std::vector<std::uint32_t>& order : orders)
            if (UnitCut cut = evenCut(graph, order); offer(graph, cut)) {
                cut.load = m_result.load;
                best = std::move(cut);
            }
        for (std::size_t at = 0; at < orders.size() && !m_budget.isSpent(); ++at) {
            const double highest = best ? best->load : most;
            double excess = std::max(0.04 * m_result.bound, most / 1e6);
            for (bool isLast = false; !isLast && !m_budget.isSpent(); excess *= 3) {
                isLast = at > 0 || m_result.bound + excess >= highest;
                const double limit = isLast ? highest : m_result.bound + excess;
                if (auto cut = bestOfOrder(graph, orders[at], {m_problem, levels, limit, m_allowsEmpty}, m_budget)) {
                    best = std::move(cut);
                    offer(graph, *best);
                    break;
                }
            }
        }
        m_budget.release(reserved);
        if (best)
            improve(graph, levels, std::move(*best));
    }

    void improve(const BalanceGraph& graph, const BalanceLevels& levels, UnitCut best)
    {
        const double reserved = m_budget.reserveAllBut(std::min(m_budget.left() / 4, 2e8));
        const auto stages = static_cast<double>(best.classes.size());
        for (int reach = stages * graph.units > 2e5 ? 4 : 8;
             !m_budget.isSpent() && best.load > m_result.bound * (1 + kSameLoad);) {
            std::optional<UnitCut> better = bestNearby(graph, best, {m_problem, levels, best.load, m_allowsEmpty}, reach,
                                                       m_budget);
            if (!better)
                better = bestOfOrder(graph, orderByStage(best.stageOf), {m_problem, levels, best.load, m_allowsEmpty}, m_budget);
            if (!better) {
                if (reach >= 32)
                    break;
                reach *= 2;
                continue;
            }
            best = std::move(*better);
            offer(graph, best);
        }
        m_budget.release(reserved);
    }

    struct Attempt {
        bool isComplete = false;
        std::optional<UnitCut> cut = {};
    };

    /// Finds the best cut of the graph with a load below `limit`.
    Attempt attempt(const BalanceGraph& graph, const BalanceLevels& levels, double limit, bool allowsEmpty, double steps)
    {
        const double reserved = m_budget.reserveAllBut(steps);
        const StageSearch search{m_problem, levels, limit, allowsEmpty};
        Attempt made;
        if (auto found = setsInWindows(graph, search, m_limits.storedBytes, m_budget)) {
            m_result.downSets = std::max<std::size_t>(m_result.downSets, found->sets.size());
            made.cut = bestOfSets(found->sets, found->candidates, search, m_budget);
            made.isComplete = !m_budget.isSpent();
        }
        m_budget.release(reserved);
        return made;
    }

    /// Searches exactly: first below the best load, then, if that is too large, below growing bounds.
    Attempt exact(const BalanceGraph& graph, const BalanceLevels& levels, bool allowsEmpty)
    {
        const double limit = limitOf(graph);
        Attempt made = attempt(graph, levels, limit, allowsEmpty, m_budget.left() / 4);
        if (made.isComplete)
            return made;
        for (double share : {1.0 / 64, 1.0 / 16, 1.0 / 4, 1.0 / 2, 1.0}) {
            const double next = m_result.bound + (limit - m_result.bound) * share;
            made = attempt(graph, levels, next, allowsEmpty, m_budget.left() / 2);
            if (!made.isComplete || made.cut)
                return made;
            m_result.bound = std::max(m_result.bound, next);
        }
        return made;
    }

    /// `graph` and `groups`: with loads that are never above the true ones.
    void prove(const BalanceGraph& graph, const BalanceGraph& groups)
    {
        if (hasCut() && m_result.load <= m_result.bound * (1 + kSameLoad))
            return;
        const BalanceLevels levels = balanceLevels(graph, m_problem.anyOrder);
        const Attempt first = exact(graph, levels, true);
        if (!first.isComplete)
            return;
        if (!first.cut) {
            m_isInfeasible = !hasCut();
            m_result.bound = m_result.load;
            return;
        }
        m_result.bound = std::max(m_result.bound, first.cut->load);
        offer(graph, *first.cut);
        if (hasCut() && m_result.load <= m_result.bound * (1 + kSameLoad))
            return;
        // The best cut leaves a device empty. Is there an equally good one that does not?
        for (const BalanceGraph* next : {&graph, &groups}) {
            const BalanceLevels nextLevels = balanceLevels(*next, m_problem.anyOrder);
            const Attempt second = exact(*next, nextLevels, m_allowsEmpty);
            if (second.cut)
                offer(*next, *second.cut);
            if (hasCut() && m_result.load <= m_result.bound * (1 + kSameLoad))
                return;
            if (second.isComplete && next == &groups) {
                m_isInfeasible = !second.cut && !hasCut();
                m_result.bound = std::max(m_result.bound, second.cut ? second.cut->load : m_result.load);
            }
        }
    }

    Result<BalanceResult> finished()
    {
        if (m_isInfeasible)
            return doesNotFit();
        if (!hasCut() && m_budget.isCancelled())
            return cancelled();
        if (!hasCut())
            return fail(ErrorCode::refused, "no cut that fits was found within the limits, and none was excluded");
        m_result.bound = std::min(m_result.bound, m_result.load);
        m_result.isProven = m_result.load <= m_result.bound * (1 + kSameLoad);
        m_result.isComplete = !m_budget.isCancelled();
        return std::move(m_result);
    }

    [[nodiscard]] tl::unexpected<Error> doesNotFit() const
    {
        const std::size_t given = m_problem.devices.size();
        const bool areEqual = std::ranges::all_of(m_problem.devices,
                                                  [&](const auto& d) { return d.memory == m_problem.devices[0].memory; });
        if (!areEqual)
            return fail(ErrorCode::refused,
                        "the model does not fit: no legal cut keeps within the memory of these " + formatCount(given, "device"));
        double bytes = std::accumulate(m_problem.bytes.begin(), m_problem.bytes.end(), 0.0);
        for (const BalanceProblem::Memory& memory : m_problem.memories)
            bytes += memory.bytes;
        const double least = std::max(std::ceil(bytes / m_problem.devices[0].memory), static_cast<double>(given) + 1);
        return fail(ErrorCode::refused,
                    "the model does not fit: at least " + std::to_string(static_cast<std::uint64_t>(least))
                        + " devices are needed (" + std::to_string(given) + " given)");
    }

    const BalanceProblem& m_problem;
    const BalanceLimits& m_limits;
    BalanceBudget m_budget;
    BalanceResult m_result;
    bool m_allowsEmpty = false;
    bool m_isInfeasible = false;
};

} // namespace

Result<BalanceResult> balance(const BalanceProblem& problem, const BalanceLimits& limits, ProgressMonitor& monitor)
{
    return Search(problem, limits, monitor).run();
}

} // namespace sunder
