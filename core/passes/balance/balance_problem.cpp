#include "passes/balance/balance_problem.h"

#include "support/disjoint_sets.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace sunder {

const BalanceProblem::Link& BalanceProblem::link(std::uint32_t from, std::uint32_t to) const
{
    static const Link free{};
    if (links.empty())
        return free;
    return links.size() == 1 ? links.front() : links[from * devices.size() + to];
}

double BalanceProblem::transfer(const Value& value, std::uint32_t from, std::uint32_t to) const
{
    if (value.seconds >= 0)
        return value.seconds;
    const Link& over = link(from, to);
    return over.latency + value.bytes * over.secondsPerByte;
}

std::vector<std::uint32_t> joinedGroups(std::uint32_t nodes, std::span<const std::vector<std::uint32_t>> groups)
{
    std::vector<std::uint32_t> parents(nodes);
    std::iota(parents.begin(), parents.end(), 0U);
    for (const std::vector<std::uint32_t>& group : groups)
        for (const std::uint32_t node : group)
            joinSets(parents, group.front(), node);
    for (std::uint32_t node = 0; node < nodes; ++node)
        parents[node] = rootOf(parents, node);
    return parents;
}

std::string describeQuality(const BalanceResult& result)
{
    if (result.isProven)
        return "optimal, proven";
    if (!std::isfinite(result.gap()))
        return "no bound";
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(),
                  result.gap() < 0.0995 ? "at most %.2g %% above optimal" : "at most %.0f %% above optimal", 100 * result.gap());
    return text.data();
}

std::vector<BalanceLoad> balanceLoads(const BalanceProblem& problem, std::span<const std::uint32_t> stageOf,
                                      std::span<const std::uint32_t> deviceOf)
{
    std::vector<BalanceLoad> loads(deviceOf.size());
    for (std::uint32_t node = 0; node < problem.nodes; ++node) {
        BalanceLoad& load = loads[stageOf[node]];
        load.seconds += problem.seconds[problem.devices[deviceOf[stageOf[node]]].kind][node];
        if (!problem.bytes.empty())
            load.bytes += problem.bytes[node];
    }
    std::vector<std::uint32_t> stages;
    const auto collect = [&](const std::vector<std::uint32_t>& readers) {
        stages.clear();
        for (const std::uint32_t reader : readers)
            stages.push_back(stageOf[reader]);
        sortUnique(stages);
    };
    for (const BalanceProblem::Value& value : problem.values) {
        const std::uint32_t home = stageOf[value.producer];
        double sent = 0;
        collect(value.readers);
        for (const std::uint32_t stage : stages) {
            if (stage == home)
                continue;
            const double seconds = problem.transfer(value, deviceOf[home], deviceOf[stage]);
            loads[stage].transfer += seconds;
            sent = std::max(sent, seconds);
        }
        loads[home].transfer += sent;
    }
    for (const BalanceProblem::Memory& memory : problem.memories) {
        collect(memory.readers);
        for (const std::uint32_t stage : stages)
            loads[stage].bytes += memory.bytes;
    }
    for (BalanceLoad& load : loads)
        load.load = problem.overlap ? std::max(load.seconds, load.transfer) : load.seconds + load.transfer;
    if (problem.bytesOf) {
        std::vector<std::vector<std::uint32_t>> nodes(deviceOf.size());
        for (std::uint32_t node = 0; node < problem.nodes; ++node)
            nodes[stageOf[node]].push_back(node);
        for (std::size_t stage = 0; stage < loads.size(); ++stage)
            loads[stage].bytes = problem.bytesOf(nodes[stage]);
    }
    return loads;
}

double largestLoad(std::span<const BalanceLoad> loads)
{
    double largest = 0;
    for (const BalanceLoad& load : loads)
        largest = std::max(largest, load.load);
    return largest;
}

} // namespace sunder
