#include "passes/balance/unit_orders.h"

#include "passes/balance/down_sets.h"

#include <algorithm>
#include <numeric>

namespace sunder {
namespace {

using Edges = std::vector<std::vector<std::uint32_t>>;

/// Takes the unit next that became possible last.
std::vector<std::uint32_t> depthFirst(const Edges& before, const Edges& after, bool isReversed)
{
    const std::size_t units = before.size();
    std::vector<std::uint32_t> waiting(units);
    std::vector<std::uint32_t> ready;
    for (std::size_t i = 0; i < units; ++i) {
        const auto unit = static_cast<std::uint32_t>(isReversed ? i : units - 1 - i);
        waiting[unit] = static_cast<std::uint32_t>(before[unit].size());
        if (waiting[unit] == 0)
            ready.push_back(unit);
    }
    std::vector<std::uint32_t> order;
    while (!ready.empty()) {
        const std::uint32_t unit = ready.back();
        ready.pop_back();
        order.push_back(unit);
        for (auto next = after[unit].rbegin(); next != after[unit].rend(); ++next)
            if (--waiting[*next] == 0)
                ready.push_back(*next);
    }
    if (isReversed)
        std::ranges::reverse(order);
    return order;
}

/// Takes the unit next that leaves the fewest seconds of transfers crossing.
std::vector<std::uint32_t> narrow(const BalanceGraph& graph)
{
    constexpr int kMaxChoices = 64;
    DownSetCursor cursor(graph);
    std::vector<std::uint32_t> inside(graph.nets.size(), 0);
    std::vector<std::uint32_t> order;
    while (order.size() < graph.units) {
        std::uint32_t best = graph.units;
        double least = 0;
        int choices = 0;
        for (std::uint32_t unit = cursor.nextAddable(0); unit < graph.units && choices < kMaxChoices;
             unit = cursor.nextAddable(unit + 1), ++choices) {
            double change = 0;
            for (const std::uint32_t net : graph.netsOf[unit]) {
                if (inside[net] == 0)
                    change += graph.least[net];
                else if (inside[net] + 1 == graph.nets[net].pins.size())
                    change -= graph.least[net];
            }
            if (best == graph.units || change < least) {
                best = unit;
                least = change;
            }
        }
        for (const std::uint32_t net : graph.netsOf[best])
            ++inside[net];
        cursor.add(best);
        order.push_back(best);
    }
    return order;
}

} // namespace

std::vector<std::vector<std::uint32_t>> startingOrders(const BalanceGraph& graph)
{
    std::vector<std::uint32_t> present(graph.units);
    std::iota(present.begin(), present.end(), 0U);
    std::vector<std::vector<std::uint32_t>> orders{std::move(present)};
    orders.push_back(depthFirst(graph.before, graph.after, false));
    orders.push_back(depthFirst(graph.after, graph.before, true));
    orders.push_back(narrow(graph));
    return orders;
}

std::vector<std::uint32_t> orderByStage(std::span<const std::uint32_t> stageOf)
{
    std::vector<std::uint32_t> order(stageOf.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t unit) { return stageOf[unit]; });
    return order;
}

} // namespace sunder
