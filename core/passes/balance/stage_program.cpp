#include "passes/balance/stage_program.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace sunder {
namespace {

constexpr double kRounding = 1e-12; ///< relative
constexpr double kStepsAQuestion = 1e6; ///< a few milliseconds
constexpr double kStepsPerMeasuredNode = 100;
constexpr std::size_t kMaxLevels = 4096;

/// Returns whether a device holds the nodes. `least`: a lower bound of their bytes. Measures them only if that does not decide.
bool fitsDevice(const BalanceProblem& problem, std::span<const std::uint32_t> nodes, double least, double available,
                BalanceBudget& budget)
{
    if (least > available)
        return false;
    if (!problem.bytesOf)
        return true;
    double most = problem.mostExtraBytes.empty() ? std::numeric_limits<double>::infinity() : least;
    for (std::size_t i = 0; i < nodes.size() && most <= available; ++i)
        most += problem.mostExtraBytes[nodes[i]];
    if (most <= available)
        return true;
    budget.spend(kStepsPerMeasuredNode * static_cast<double>(nodes.size()));
    return problem.bytesOf(nodes) <= available;
}

/// The best way to fill the devices of a level with a set.
struct Filling {
    std::uint32_t set = 0; ///< or position in an order
    double load = 0;
    std::uint32_t step = 0; ///< index of the step to this level
    std::uint32_t previous = 0; ///< index among the fillings of that level
};

} // namespace

bool BalanceBudget::spend(double steps)
{
    m_left -= steps;
    m_sinceQuestion += steps;
    if (m_sinceQuestion >= kStepsAQuestion) {
        m_sinceQuestion = 0;
        m_isCancelled = m_isCancelled || m_monitor.isCancelled();
        m_monitor.report(std::clamp(1 - m_left / m_all, 0.0, 1.0), "Balancing");
    }
    return !isSpent();
}

double BalanceBudget::reserveAllBut(double steps)
{
    const double reserved = std::max(0.0, m_left - steps);
    m_left -= reserved;
    return reserved;
}

bool BalanceLevels::admits(const BalanceGraph& graph, std::size_t level, double work, double allWork, double bytes,
                           double allBytes, double crossing, double limit) const
{
    const Level& of = levels[level];
    const double most = limit * (1 + kRounding);
    if (graph.hasMemoryLimit && (bytes > of.filledBytes || allBytes - bytes > of.openBytes))
        return false;
    if (graph.overlap)
        return work <= most * of.filled && allWork - work <= most * of.open && crossing <= most * of.devices
            && crossing <= most * of.others;
    const double extra = crossing / largestRatio;
    return work + extra <= most * of.filled && allWork - work + extra <= most * of.open;
}

BalanceLevels balanceLevels(const BalanceGraph& graph, bool anyOrder)
{
    BalanceLevels made;
    const auto count = static_cast<std::uint32_t>(graph.classOf.size());
    made.largestRatio = 0;
    for (const BalanceGraph::Class& of : graph.classes)
        made.largestRatio = std::max(made.largestRatio, of.ratio);
    if (made.largestRatio == 0)
        made.largestRatio = 1;
    const auto close = [&](BalanceLevels::Level& level, const std::vector<std::uint32_t>& used,
                           const std::vector<std::uint32_t>& all) {
        for (std::size_t at = 0; at < graph.classes.size(); ++at) {
            const BalanceGraph::Class& of = graph.classes[at];
            const auto filled = static_cast<double>(used[at]);
            const auto open = static_cast<double>(all[at] - used[at]);
            const double rate = of.ratio > 0 ? 1 / of.ratio : std::numeric_limits<double>::infinity();
            level.filled += filled > 0 ? filled * rate : 0;
            level.open += open > 0 ? open * rate : 0;
            level.filledBytes += filled > 0 ? filled * of.memory : 0;
            level.openBytes += open > 0 ? open * of.memory : 0;
            level.devices += used[at];
            level.others += all[at] - used[at];
        }
    };
    std::vector<std::uint32_t> all(graph.classes.size(), 0);
    for (const std::uint32_t at : graph.classOf)
        ++all[at];
    std::vector<std::uint32_t> used(graph.classes.size(), 0);
    if (!anyOrder) {
        for (std::uint32_t device = 0; device <= count; ++device) {
            BalanceLevels::Level& level = made.levels.emplace_back();
            if (device > 0) {
                level.steps.push_back({device - 1, graph.classOf[device - 1]});
                ++used[graph.classOf[device - 1]];
            }
            close(level, used, all);
        }
        return made;
    }
    std::size_t states = 1;
    for (const std::uint32_t of : all)
        if ((states *= of + std::size_t{1}) > kMaxLevels)
            return made;
    std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, std::uint32_t> known; // by number of devices used up
    for (std::size_t state = 0; state < states; ++state) {
        std::size_t rest = state;
        std::uint32_t sum = 0;
        for (std::size_t at = 0; at < all.size(); ++at) {
            used[at] = static_cast<std::uint32_t>(rest % (all[at] + std::size_t{1}));
            rest /= all[at] + std::size_t{1};
            sum += used[at];
        }
        known.emplace(std::pair{sum, used}, 0);
    }
    for (auto& [key, index] : known) {
        index = static_cast<std::uint32_t>(made.levels.size());
        BalanceLevels::Level& level = made.levels.emplace_back();
        used = key.second;
        close(level, used, all);
        for (std::uint32_t at = 0; at < used.size(); ++at)
            if (used[at] > 0) {
                --used[at];
                level.steps.push_back({known.at({key.first - 1, used}), at});
                ++used[at];
            }
    }
    return made;
}

std::optional<UnitCut> bestOfSets(const DownSets& sets, const std::vector<std::vector<std::uint32_t>>& candidates,
                                  const StageSearch& search, BalanceBudget& budget)
{
    const BalanceGraph& graph = sets.graph();
    const auto& levels = search.levels.levels;
    std::vector<std::vector<Filling>> fillings(levels.size());
    fillings[0].push_back({candidates[0].front(), 0, 0, 0});
    const double limit = search.limit * (1 - kRounding);
    for (std::size_t at = 1; at < levels.size(); ++at) {
        for (const std::uint32_t set : candidates[at]) {
            Filling best{.set = set, .load = limit};
            double pairs = 1;
            for (std::uint32_t step = 0; step < levels[at].steps.size(); ++step) {
                const auto [from, deviceClass] = levels[at].steps[step];
                const std::vector<Filling>& before = fillings[from];
                const double rate = graph.classes[deviceClass].ratio > 0 ? 1 / graph.classes[deviceClass].ratio : 0;
                const double least = rate > 0 ? sets.work(set) - best.load * rate * (1 + 1e-9) : 0;
                auto filling = std::ranges::lower_bound(before, least, {}, [&](const Filling& f) { return sets.work(f.set); });
                const double most = sets.work(set) * (1 + 1e-12) + 1e-300;
                for (; filling != before.end() && sets.work(filling->set) <= most; ++filling) {
                    pairs += 1;
                    if (filling->load >= best.load || sets.leastLoad(filling->set, set, deviceClass) >= best.load)
                        continue;
                    if (filling->set == set ? !search.allowsEmpty : !sets.isSubset(filling->set, set))
                        continue;
                    pairs += 2 + (sets.crossingCount(filling->set) + sets.crossingCount(set)) / 2.0;
                    const double load = filling->set == set ? 0 : sets.load(filling->set, set, deviceClass, best.load);
                    if (load >= best.load)
                        continue;
                    if (graph.hasMemoryLimit && filling->set != set) {
                        const double available = graph.classes[deviceClass].memory;
                        const double bytes = sets.bytesBetween(filling->set, set);
                        if (bytes > available)
                            continue;
                        if (search.problem.bytesOf) {
                            const std::vector<std::uint32_t> nodes = sets.nodesBetween(filling->set, set);
                            pairs += static_cast<double>(nodes.size());
                            if (!fitsDevice(search.problem, nodes, bytes, available, budget))
                                continue;
                        }
                    }
                    best.load = std::max(filling->load, load);
                    best.step = step;
                    best.previous = static_cast<std::uint32_t>(filling - before.begin());
                }
            }
            if (!budget.spend(pairs))
                return std::nullopt;
            if (best.load < limit)
                fillings[at].push_back(best);
        }
    }
    if (fillings.back().empty())
        return std::nullopt;
    UnitCut cut;
    cut.load = fillings.back().front().load;
    cut.stageOf.assign(graph.units, 0);
    std::size_t level = levels.size() - 1;
    std::uint32_t at = 0;
    while (level > 0) {
        const Filling& filling = fillings[level][at];
        const BalanceLevels::Step step = levels[level].steps[filling.step];
        const std::uint32_t stage = levels[level].devices - 1;
        const Filling& previous = fillings[step.from][filling.previous];
        const auto outer = sets.bits(filling.set);
        const auto inner = sets.bits(previous.set);
        for (std::uint32_t unit = 0; unit < graph.units; ++unit)
            if (((outer[unit / 64] & ~inner[unit / 64]) >> (unit % 64) & 1U) != 0)
                cut.stageOf[unit] = stage;
        cut.classes.insert(cut.classes.begin(), step.deviceClass);
        at = filling.previous;
        level = step.from;
    }
    return cut;
}

namespace {

/// The load of consecutive units in an order, extended unit by unit.
class IntervalLoad {
public:
    IntervalLoad(const BalanceGraph& graph, std::span<const std::uint32_t> order)
        : m_graph(graph), m_inside(graph.nets.size(), 0), m_first(graph.nets.size(), 0), m_holds(graph.memories.size(), 0)
    {
        for (std::size_t place = order.size(); place-- > 0;)
            for (const std::uint32_t net : graph.netsOf[order[place]])
                m_first[net] = static_cast<std::uint32_t>(place);
    }

    void start(std::uint32_t place, std::uint32_t deviceClass)
    {
        for (const std::uint32_t net : m_touched)
            m_inside[net] = 0;
        for (const std::uint32_t memory : m_held)
            m_holds[memory] = 0;
        m_touched.clear();
        m_held.clear();
        m_start = place;
        m_class = &m_graph.classes[deviceClass];
        m_seconds = m_transfer = m_bytes = m_mostBytes = 0;
    }

    void add(std::uint32_t unit)
    {
        m_seconds += m_class->seconds[unit];
        m_bytes += m_graph.bytes[unit];
        m_mostBytes += m_graph.mostBytes[unit];
        for (const std::uint32_t net : m_graph.netsOf[unit]) {
            const bool isLeft = m_first[net] < m_start;
            if (m_inside[net]++ == 0) {
                m_touched.push_back(net);
                m_transfer += isLeft ? m_class->left[net] : m_class->right[net];
            }
            if (!isLeft && m_inside[net] == m_graph.nets[net].pins.size())
                m_transfer -= m_class->right[net];
        }
        for (const std::uint32_t memory : m_graph.memoriesOf[unit])
            if (m_holds[memory]++ == 0) {
                m_held.push_back(memory);
                m_bytes += m_graph.memories[memory].bytes;
                m_mostBytes += m_graph.memories[memory].bytes;
            }
    }

    [[nodiscard]] double seconds() const { return m_seconds; }
    [[nodiscard]] double bytes() const { return m_bytes; }
    /// Returns an upper bound of the bytes that a device needs.
    [[nodiscard]] double mostBytes() const { return m_mostBytes; }
    [[nodiscard]] double load() const { return m_graph.overlap ? std::max(m_seconds, m_transfer) : m_seconds + m_transfer; }

private:
    const BalanceGraph& m_graph;
    std::vector<std::uint32_t> m_inside;
    std::vector<std::uint32_t> m_first; ///< per net: first place in the order
    std::vector<char> m_holds;
    std::vector<std::uint32_t> m_touched;
    std::vector<std::uint32_t> m_held;
    const BalanceGraph::Class* m_class = nullptr;
    std::uint32_t m_start = 0;
    double m_seconds = 0;
    double m_transfer = 0;
    double m_bytes = 0;
    double m_mostBytes = 0;
};

std::vector<std::uint32_t> nodesOf(const BalanceGraph& graph, std::span<const std::uint32_t> units)
{
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t unit : units)
        nodes.insert(nodes.end(), graph.members[unit].begin(), graph.members[unit].end());
    std::ranges::sort(nodes);
    return nodes;
}

} // namespace

std::optional<UnitCut> bestOfOrder(const BalanceGraph& graph, std::span<const std::uint32_t> order, const StageSearch& search,
                                   BalanceBudget& budget)
{
    const auto& levels = search.levels.levels;
    const auto places = static_cast<std::uint32_t>(order.size());
    std::vector<std::vector<Filling>> best(levels.size());
    for (auto& row : best)
        row.assign(places + std::size_t{1}, Filling{.load = search.limit});
    best[0][0].load = 0;
    struct Next {
        std::uint32_t level;
        std::uint32_t step;
        std::uint32_t from;
    };
    std::vector<std::vector<Next>> nextOf(graph.classes.size()); // per class of device
    for (std::uint32_t level = 0; level < levels.size(); ++level)
        for (std::uint32_t step = 0; step < levels[level].steps.size(); ++step)
            nextOf[levels[level].steps[step].deviceClass].push_back({level, step, levels[level].steps[step].from});
    IntervalLoad interval(graph, order);
    std::vector<Next> active;
    for (std::uint32_t start = 0; start <= places; ++start) {
        if (search.allowsEmpty)
            for (std::uint32_t level = 1; level < levels.size(); ++level)
                for (std::uint32_t step = 0; step < levels[level].steps.size(); ++step)
                    if (const double load = best[levels[level].steps[step].from][start].load; load < best[level][start].load)
                        best[level][start] = {start, load, step, start};
        for (std::uint32_t of = 0; of < graph.classes.size(); ++of) {
            active.clear();
            for (const Next& next : nextOf[of])
                if (best[next.from][start].load < search.limit)
                    active.push_back(next);
            if (active.empty())
                continue;
            interval.start(start, of);
            std::uint32_t end = start;
            while (end < places) {
                interval.add(order[end++]);
                if (interval.seconds() >= search.limit || (graph.hasMemoryLimit && interval.bytes() > graph.classes[of].memory))
                    break;
                const double load = interval.load();
                bool isChecked = !graph.hasMemoryLimit || interval.mostBytes() <= graph.classes[of].memory;
                for (const Next& next : active) {
                    const double largest = std::max(load, best[next.from][start].load);
                    if (largest >= best[next.level][end].load)
                        continue;
                    if (!isChecked) {
                        const auto nodes = nodesOf(graph, order.subspan(start, end - start));
                        if (!budget.spend(static_cast<double>(nodes.size()))
                            || !fitsDevice(search.problem, nodes, interval.bytes(), graph.classes[of].memory, budget))
                            break;
                        isChecked = true;
                    }
                    best[next.level][end] = {end, largest, next.step, start};
                }
            }
            if (!budget.spend(static_cast<double>(end - start) * (8 + static_cast<double>(active.size()))))
                return std::nullopt;
        }
    }
    if (!(best.back()[places].load < search.limit))
        return std::nullopt;
    UnitCut cut;
    cut.load = best.back()[places].load;
    cut.stageOf.assign(graph.units, 0);
    std::size_t level = levels.size() - 1;
    std::uint32_t end = places;
    while (level > 0) {
        const Filling& filling = best[level][end];
        for (std::uint32_t place = filling.previous; place < end; ++place)
            cut.stageOf[order[place]] = levels[level].devices - 1;
        const BalanceLevels::Step step = levels[level].steps[filling.step];
        cut.classes.insert(cut.classes.begin(), step.deviceClass);
        end = filling.previous;
        level = step.from;
    }
    return cut;
}

} // namespace sunder
