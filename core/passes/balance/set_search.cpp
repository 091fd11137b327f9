#include "passes/balance/set_search.h"

#include "passes/balance/unit_orders.h"
#include "support/number_set.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace sunder {
namespace {

constexpr std::size_t kMaxSets = 4'000'000;

/// The sums of a growing set, per unit added, so that removing restores them exactly.
class SetSums {
public:
    explicit SetSums(const BalanceGraph& graph) : m_graph(graph), m_rows(1, std::vector<double>(graph.classes.size() + 2, 0)) {}

    void push(std::uint32_t unit, double sign = 1)
    {
        m_rows.push_back(m_rows.back());
        std::vector<double>& row = m_rows.back();
        row[0] += sign * m_graph.work[unit];
        row[1] += sign * m_graph.bytes[unit];
        for (std::size_t at = 0; at < m_graph.classes.size(); ++at)
            row[at + 2] += sign * m_graph.classes[at].seconds[unit];
    }
    void pop() { m_rows.pop_back(); }
    [[nodiscard]] double work() const { return m_rows.back()[0]; }
    [[nodiscard]] double bytes() const { return m_rows.back()[1]; }
    [[nodiscard]] std::span<const double> seconds() const { return std::span(m_rows.back()).subspan(2); }

private:
    const BalanceGraph& m_graph;
    std::vector<std::vector<double>> m_rows;
};

/// Distributes sets to levels by ascending work.
std::vector<std::vector<std::uint32_t>> candidatesOf(const DownSets& sets,
                                                     const std::vector<std::vector<std::uint32_t>>& levelsOf, std::size_t levels)
{
    std::vector<std::uint32_t> byWork(sets.size());
    std::iota(byWork.begin(), byWork.end(), 0U);
    std::ranges::stable_sort(byWork, {}, [&](std::uint32_t set) { return sets.work(set); });
    std::vector<std::vector<std::uint32_t>> candidates(levels);
    for (const std::uint32_t set : byWork)
        for (const std::uint32_t level : levelsOf[set])
            candidates[level].push_back(set);
    return candidates;
}

/// Returns the steps of DownSetCursor::addTo().
double stepsToStore(const DownSetCursor& cursor)
{
    return 20 + 8 * static_cast<double>(cursor.crossingCount());
}

/// Lists all down-sets in the windows of a search. Each set is reached once: by adding its units in topological order.
class SetEnumeration {
public:
    SetEnumeration(const BalanceGraph& graph, const StageSearch& search, std::size_t storedBytes, BalanceBudget& budget)
        : m_graph(graph), m_search(search), m_allWork(graph.allWork()), m_allBytes(graph.allBytes()), m_storedBytes(storedBytes),
          m_budget(budget), m_cursor(graph), m_sums(graph), m_sets(graph)
    {
        const auto& levels = search.levels.levels;
        for (std::uint32_t level = 1; level + 1 < levels.size(); ++level) {
            const double low = m_allWork - search.limit * levels[level].open;
            const double high = search.limit * levels[level].filled;
            m_windows.emplace_back(low - kSameLoad * m_allWork, high + kSameLoad * m_allWork);
        }
        std::ranges::sort(m_windows);
    }

    std::optional<WindowedSets> run()
    {
        const auto last = static_cast<std::uint32_t>(m_search.levels.levels.size() - 1);
        visit(true, last == 0);
        std::vector<std::uint32_t> path;
        std::uint32_t from = 0;
        for (;;) {
            const std::uint32_t unit = m_cursor.nextAddable(from);
            if (unit < m_graph.units) {
                m_cursor.add(unit);
                m_sums.push(unit);
                path.push_back(unit);
                from = unit + 1;
                if (!visit(false, path.size() == m_graph.units))
                    return std::nullopt;
                continue;
            }
            if (path.empty())
                break;
            m_cursor.remove(path.back());
            m_sums.pop();
            from = path.back() + 1;
            path.pop_back();
        }
        auto candidates = candidatesOf(m_sets, m_levelsOf, m_search.levels.levels.size());
        return WindowedSets{std::move(m_sets), std::move(candidates)};
    }

private:
    [[nodiscard]] bool isInWindow(double work) const
    {
        return std::ranges::any_of(m_windows, [&](const auto& window) { return window.first <= work && work <= window.second; });
    }

    /// Stores the set if a level admits it. Returns false if there are too many.
    bool visit(bool isEmpty, bool isFull)
    {
        const auto last = static_cast<std::uint32_t>(m_search.levels.levels.size() - 1);
        if (!m_budget.spend(8))
            return false;
        std::vector<std::uint32_t> levels;
        if (isEmpty)
            levels.push_back(0);
        if (m_search.allowsEmpty || (!isEmpty && !isFull)) {
            if (isInWindow(m_sums.work())) {
                m_budget.spend(static_cast<double>(m_cursor.crossingCount()));
                const double crossing = m_cursor.crossing();
                for (std::uint32_t level = 1; level < last; ++level)
                    if (m_search.levels.admits(m_graph, level, m_sums.work(), m_allWork, m_sums.bytes(), m_allBytes, crossing,
                                               m_search.limit))
                        levels.push_back(level);
            }
        }
        if (isFull && last > 0)
            levels.push_back(last);
        if (levels.empty())
            return true;
        m_cursor.addTo(m_sets, m_sums.work(), m_sums.bytes(), m_sums.seconds());
        m_levelsOf.push_back(std::move(levels));
        if (!m_budget.spend(stepsToStore(m_cursor)))
            return false;
        return m_sets.size() < kMaxSets && (m_sets.size() % 1024 != 0 || m_sets.storedBytes() < m_storedBytes);
    }

    const BalanceGraph& m_graph;
    const StageSearch& m_search;
    double m_allWork;
    double m_allBytes;
    std::size_t m_storedBytes;
    BalanceBudget& m_budget;
    DownSetCursor m_cursor;
    SetSums m_sums;
    DownSets m_sets;
    std::vector<std::vector<std::uint32_t>> m_levelsOf; ///< per set
    std::vector<std::pair<double, double>> m_windows;
};

} // namespace

std::optional<WindowedSets> setsInWindows(const BalanceGraph& graph, const StageSearch& search, std::size_t storedBytes,
                                          BalanceBudget& budget)
{
    return SetEnumeration(graph, search, storedBytes, budget).run();
}

std::optional<UnitCut> bestNearby(const BalanceGraph& graph, const UnitCut& present, const StageSearch& search, int reach,
                                  BalanceBudget& budget)
{
    const std::vector<std::uint32_t> order = orderByStage(present.stageOf);
    const auto stages = static_cast<std::uint32_t>(present.classes.size());
    // Only the classes of the present cut, in their order.
    BalanceLevels levels;
    for (std::uint32_t stage = 0; stage <= stages; ++stage) {
        BalanceLevels::Level& level = levels.levels.emplace_back();
        level.devices = stage;
        if (stage > 0)
            level.steps.push_back({stage - 1, present.classes[stage - 1]});
    }
    DownSets sets(graph);
    std::vector<std::vector<std::uint32_t>> levelsOf;
    DownSetCursor cursor(graph);
    SetSums sums(graph);
    cursor.addTo(sets, 0, 0, sums.seconds());
    levelsOf.push_back({0});
    std::uint32_t place = 0;
    for (std::uint32_t stage = 1; stage < stages; ++stage) {
        NumberSet seen;
        const auto keep = [&] {
            const bool isEnd = cursor.size() == 0 || cursor.size() == graph.units;
            if (!seen.insert(cursor.hash() | 1U) || (isEnd && !search.allowsEmpty))
                return;
            budget.spend(stepsToStore(cursor));
            cursor.addTo(sets, sums.work(), sums.bytes(), sums.seconds());
            levelsOf.push_back({stage});
        };
        const auto keepWithNeighbors = [&] {
            if (budget.isSpent())
                return;
            keep();
            int left = reach;
            for (std::uint32_t unit = cursor.nextAddable(0); unit < graph.units && left-- > 0;
                 unit = cursor.nextAddable(unit + 1)) {
                cursor.add(unit);
                sums.push(unit);
                keep();
                sums.pop();
                cursor.remove(unit);
            }
            left = reach;
            for (std::uint32_t unit = cursor.previousRemovable(graph.units); unit < graph.units && left-- > 0;
                 unit = cursor.previousRemovable(unit)) {
                cursor.remove(unit);
                sums.push(unit, -1);
                keep();
                sums.pop();
                cursor.add(unit);
            }
        };
        while (place < order.size() && present.stageOf[order[place]] < stage) {
            cursor.add(order[place]);
            sums.push(order[place++]);
        }
        const std::uint32_t boundary = place;
        keepWithNeighbors();
        for (int step = 0; step < reach && place > 0; ++step) {
            cursor.remove(order[--place]);
            sums.pop();
            keepWithNeighbors();
        }
        while (place < boundary) {
            cursor.add(order[place]);
            sums.push(order[place++]);
        }
        for (int step = 0; step < reach && place < order.size(); ++step) {
            cursor.add(order[place]);
            sums.push(order[place++]);
            keepWithNeighbors();
        }
        while (place > boundary) {
            cursor.remove(order[--place]);
            sums.pop();
        }
        if (!budget.spend(200.0 * reach * reach))
            return std::nullopt;
    }
    while (place < order.size()) {
        cursor.add(order[place]);
        sums.push(order[place++]);
    }
    cursor.addTo(sets, sums.work(), sums.bytes(), sums.seconds());
    levelsOf.push_back({stages});
    return bestOfSets(sets, candidatesOf(sets, levelsOf, stages + std::size_t{1}),
                      {search.problem, levels, search.limit, search.allowsEmpty}, budget);
}

} // namespace sunder
