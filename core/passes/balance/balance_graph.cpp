#include "passes/balance/balance_graph.h"

#include "passes/balance/device_classes.h"
#include "support/disjoint_sets.h"
#include "support/sort_unique.h"
#include "support/strong_components.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace sunder {
namespace {

/// Contracts step by step. Units are named by one of their nodes, the root of a disjoint set.
class Contractor {
public:
    Contractor(const BalanceProblem& problem, LinkView links) : m_problem(problem), m_classes(deviceClasses(problem, links)) {}

    BalanceGraph run(Contraction contraction)
    {
        joinGroups();
        collect();
        if (contraction == Contraction::lossless) {
            for (int round = 0; round < kRounds; ++round) {
                dropTransitive();
                mergeNets(m_nets);
                if (!contractOnce())
                    break;
            }
        } else {
            dropTransitive();
            mergeNets(m_nets);
        }
        return finished();
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;
    static constexpr int kRounds = 8;
    static constexpr std::size_t kMaxTransitive = 20'000; ///< units, for 50 MB of bits

    std::uint32_t rootOf(std::uint32_t node) { return sunder::rootOf(m_parents, node); }

    void joinGroups()
    {
        m_parents = joinedGroups(m_problem.nodes, m_problem.groups);
        std::vector<std::vector<std::uint32_t>> after(m_problem.nodes);
        for (const auto& [a, b] : m_problem.order)
            if (rootOf(a) != rootOf(b))
                after[rootOf(a)].push_back(rootOf(b));
        const StrongComponents circles = strongComponents(m_problem.nodes,
                                                          [&](std::uint32_t node) -> const auto& { return after[node]; });
        std::vector<std::uint32_t> firstOf(circles.size.size(), kNone);
        for (std::uint32_t node = 0; node < m_problem.nodes; ++node) {
            std::uint32_t& first = firstOf[circles.of[node]];
            first = first == kNone ? node : first;
            joinSets(m_parents, first, node);
        }
    }

    /// Sums the figures of units.
    void collect()
    {
        const std::size_t count = m_problem.nodes;
        m_before.resize(count);
        m_after.resize(count);
        m_bytes.assign(count, 0);
        m_seconds.assign(m_problem.seconds.size(), std::vector<double>(count, 0));
        m_isLive.assign(count, 0);
        for (std::uint32_t node = 0; node < count; ++node) {
            const std::uint32_t unit = rootOf(node);
            m_liveCount += m_isLive[unit] == 0 ? 1U : 0U;
            m_isLive[unit] = 1;
            for (std::size_t kind = 0; kind < m_seconds.size(); ++kind)
                m_seconds[kind][unit] += m_problem.seconds[kind][node];
            if (!m_problem.bytes.empty())
                m_bytes[unit] += m_problem.bytes[node];
        }
        for (const auto& [a, b] : m_problem.order)
            if (rootOf(a) != rootOf(b)) {
                m_after[rootOf(a)].push_back(rootOf(b));
                m_before[rootOf(b)].push_back(rootOf(a));
            }
        for (std::uint32_t node = 0; node < count; ++node) {
            sortUnique(m_after[node]);
            sortUnique(m_before[node]);
        }
        for (const BalanceProblem::Value& value : m_problem.values) {
            BalanceGraph::Net net;
            net.pins.push_back(rootOf(value.producer));
            for (const std::uint32_t reader : value.readers)
                net.pins.push_back(rootOf(reader));
            sortUnique(net.pins);
            if (value.seconds >= 0)
                net.fixed = value.seconds;
            else {
                net.bytes = value.bytes;
                net.count = 1;
            }
            if (net.pins.size() > 1)
                m_nets.push_back(std::move(net));
        }
        double all = 0;
        for (const BalanceProblem::Memory& memory : m_problem.memories) {
            BalanceGraph::Net net{.pins = {}, .bytes = memory.bytes};
            for (const std::uint32_t reader : memory.readers)
                net.pins.push_back(rootOf(reader));
            sortUnique(net.pins);
            all += memory.bytes;
            if (net.pins.size() == 1)
                m_bytes[net.pins.front()] += memory.bytes;
            else if (net.pins.size() > 1)
                m_memories.push_back(std::move(net));
        }
        mergeNets(m_memories);
        for (const double bytes : m_problem.bytes)
            all += bytes;
        if (m_problem.bytesOf)
            all = std::numeric_limits<double>::infinity();
        for (const DeviceClass& of : m_classes.classes)
            m_hasLimit = m_hasLimit || of.memory < all;
        if (!m_hasLimit)
            m_memories.clear();
        indexNets();
    }

    /// Joins nets with equal pins and drops those within a unit or without cost.
    void mergeNets(std::vector<BalanceGraph::Net>& nets)
    {
        std::ranges::stable_sort(nets, {}, &BalanceGraph::Net::pins);
        std::vector<BalanceGraph::Net> kept;
        for (BalanceGraph::Net& net : nets) {
            if (net.pins.size() < 2 || (net.fixed == 0 && net.bytes == 0 && net.count == 0))
                continue;
            if (!kept.empty() && kept.back().pins == net.pins) {
                kept.back().fixed += net.fixed;
                kept.back().bytes += net.bytes;
                kept.back().count += net.count;
            } else {
                kept.push_back(std::move(net));
            }
        }
        nets = std::move(kept);
        if (&nets == &m_nets)
            indexNets();
    }

    void indexNets()
    {
        m_netsOf.assign(m_problem.nodes, {});
        for (std::uint32_t net = 0; net < m_nets.size(); ++net)
            for (const std::uint32_t unit : m_nets[net].pins)
                m_netsOf[unit].push_back(net);
        m_holdsMemory.assign(m_problem.nodes, 0);
        for (const BalanceGraph::Net& memory : m_memories)
            for (const std::uint32_t unit : memory.pins)
                m_holdsMemory[unit] = 1;
    }

    /// Returns the live units in topological order; of several possible ones, the unit with the first node comes first.
    std::vector<std::uint32_t> topological() const
    {
        std::vector<std::uint32_t> waiting(m_problem.nodes, 0);
        std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
        for (std::uint32_t unit = 0; unit < m_problem.nodes; ++unit) {
            waiting[unit] = static_cast<std::uint32_t>(m_before[unit].size());
            if (m_isLive[unit] != 0 && waiting[unit] == 0)
                ready.push(unit);
        }
        std::vector<std::uint32_t> order;
        while (!ready.empty()) {
            const std::uint32_t unit = ready.top();
            ready.pop();
            order.push_back(unit);
            for (const std::uint32_t next : m_after[unit])
                if (--waiting[next] == 0)
                    ready.push(next);
        }
        return order;
    }

    /// Removes edges that follow from others.
    void dropTransitive()
    {
        const std::vector<std::uint32_t> order = topological();
        if (order.size() > kMaxTransitive)
            return;
        const std::size_t words = (order.size() + 63) / 64;
        std::vector<std::uint64_t> ancestors(order.size() * words, 0);
        std::vector<std::uint32_t> place(m_problem.nodes, 0);
        std::vector<std::uint64_t> above(words);
        for (std::uint32_t at = 0; at < order.size(); ++at) {
            const std::uint32_t unit = order[at];
            place[unit] = at;
            std::ranges::fill(above, 0);
            for (const std::uint32_t previous : m_before[unit])
                for (std::size_t word = 0; word <= place[previous] / 64; ++word)
                    above[word] |= ancestors[place[previous] * words + word];
            std::erase_if(m_before[unit], [&](std::uint32_t previous) {
                const bool isImplied = (above[place[previous] / 64] >> (place[previous] % 64) & 1U) != 0;
                if (isImplied)
                    std::erase(m_after[previous], unit);
                return isImplied;
            });
            for (const std::uint32_t previous : m_before[unit])
                above[place[previous] / 64] |= std::uint64_t{1} << (place[previous] % 64);
            std::ranges::copy(above, ancestors.begin() + static_cast<std::ptrdiff_t>(at * words));
        }
    }

    [[nodiscard]] double mostSeconds(std::uint32_t unit) const
    {
        double most = 0;
        for (const DeviceClass& of : m_classes.classes)
            most = std::max(most, m_seconds[of.kind][unit]);
        return most;
    }

    [[nodiscard]] bool holdsBytes(std::uint32_t unit) const
    {
        return m_hasLimit && (m_bytes[unit] > 0 || m_holdsMemory[unit] != 0 || m_problem.bytesOf != nullptr);
    }

    [[nodiscard]] double transferOf(const BalanceGraph::Net& net, bool isMost) const
    {
        double found = isMost ? 0 : std::numeric_limits<double>::infinity();
        for (const DeviceClass& of : m_classes.classes)
            for (const BalanceProblem::Link& link : {of.left, of.right}) {
                const double seconds = secondsOver(link, net);
                found = isMost ? std::max(found, seconds) : std::min(found, seconds);
            }
        return found;
    }

    [[nodiscard]] static bool contains(const std::vector<std::uint32_t>& sorted, std::uint32_t unit)
    {
        return std::ranges::binary_search(sorted, unit);
    }

    bool contractOnce()
    {
        bool hasChanged = false;
        const std::vector<std::uint32_t> order = topological();
        for (const std::uint32_t unit : order)
            hasChanged = (m_isLive[unit] != 0 && (dropSource(unit) || joinNeighbor(unit, true))) || hasChanged;
        for (auto unit = order.rbegin(); unit != order.rend(); ++unit)
            hasChanged = (m_isLive[*unit] != 0 && (dropSink(*unit) || joinNeighbor(*unit, false))) || hasChanged;
        return hasChanged;
    }

    /// Leaves out a unit at one end of the graph that costs nothing but the transfer of at most one value to or from its
    /// neighbors. It belongs with the nearest of them, so that the value crosses the same boundaries as without the unit.
    bool dropEnd(std::uint32_t unit, bool isSource)
    {
        if (mostSeconds(unit) > 0 || holdsBytes(unit) || m_liveCount <= 1)
            return false;
        const std::vector<std::uint32_t>& neighbors = isSource ? m_after[unit] : m_before[unit];
        std::vector<std::uint32_t> nets;
        for (const std::uint32_t net : m_netsOf[unit])
            if (m_nets[net].pins.size() > 1)
                nets.push_back(net);
        if (nets.size() > 1)
            return false;
        if (!nets.empty()) {
            const std::vector<std::uint32_t>& pins = m_nets[nets.front()].pins;
            if (neighbors.empty() || !std::ranges::all_of(neighbors, [&](std::uint32_t n) { return contains(pins, n); }))
                return false;
            std::erase(m_nets[nets.front()].pins, unit);
        }
        m_dropped.push_back({unit, isSource, neighbors});
        for (const std::uint32_t next : m_after[unit])
            std::erase(m_before[next], unit);
        for (const std::uint32_t previous : m_before[unit])
            std::erase(m_after[previous], unit);
        m_after[unit].clear();
        m_before[unit].clear();
        m_netsOf[unit].clear();
        m_isLive[unit] = 0;
        --m_liveCount;
        return true;
    }

    bool dropSource(std::uint32_t unit) { return m_before[unit].empty() && dropEnd(unit, true); }
    bool dropSink(std::uint32_t unit) { return m_after[unit].empty() && dropEnd(unit, false); }

    /// Joins a unit with its only user or producer if a boundary between the two never pays: the transfer between them costs at
    /// least as much as the unit and the transfers that move with it.
    bool joinNeighbor(std::uint32_t unit, bool isWithUser)
    {
        const std::vector<std::uint32_t>& neighbors = isWithUser ? m_after[unit] : m_before[unit];
        if (neighbors.size() != 1 || holdsBytes(unit))
            return false;
        const std::uint32_t neighbor = neighbors.front();
        const double seconds = mostSeconds(unit);
        double saved = 0;
        double moved = 0;
        for (const std::uint32_t net : m_netsOf[unit]) {
            const std::vector<std::uint32_t>& pins = m_nets[net].pins;
            if (pins.size() < 2)
                continue;
            if (!contains(pins, neighbor))
                moved += transferOf(m_nets[net], true);
            else if (pins.size() == 2)
                saved += transferOf(m_nets[net], false);
        }
        const bool isFree = seconds == 0 && moved == 0;
        if (!isFree && (saved < seconds + moved || (m_problem.overlap && seconds > 0)))
            return false;
        join(unit, neighbor);
        return true;
    }

    static void replace(std::vector<std::uint32_t>& sorted, std::uint32_t from, std::uint32_t to)
    {
        std::erase(sorted, from);
        const auto at = std::ranges::lower_bound(sorted, to);
        if (at == sorted.end() || *at != to)
            sorted.insert(at, to);
    }

    void join(std::uint32_t a, std::uint32_t b)
    {
        const std::uint32_t into = std::min(a, b);
        const std::uint32_t gone = std::max(a, b);
        joinSets(m_parents, a, b);
        --m_liveCount;
        for (auto& seconds : m_seconds)
            seconds[into] += seconds[gone];
        m_bytes[into] += m_bytes[gone];
        m_holdsMemory[into] = static_cast<char>(m_holdsMemory[into] | m_holdsMemory[gone]);
        for (const std::uint32_t next : m_after[gone])
            if (next != into) {
                replace(m_before[next], gone, into);
                replace(m_after[into], next, next);
            }
        for (const std::uint32_t previous : m_before[gone])
            if (previous != into) {
                replace(m_after[previous], gone, into);
                replace(m_before[into], previous, previous);
            }
        std::erase(m_after[into], gone);
        std::erase(m_before[into], gone);
        for (const std::uint32_t net : m_netsOf[gone]) {
            replace(m_nets[net].pins, gone, into);
            replace(m_netsOf[into], net, net);
        }
        for (BalanceGraph::Net& memory : m_memories)
            if (contains(memory.pins, gone))
                replace(memory.pins, gone, into);
        m_after[gone].clear();
        m_before[gone].clear();
        m_netsOf[gone].clear();
        m_isLive[gone] = 0;
    }

    BalanceGraph finished()
    {
        BalanceGraph graph;
        const std::vector<std::uint32_t> order = topological();
        std::vector<std::uint32_t> unitOfRoot(m_problem.nodes, BalanceGraph::kDropped);
        graph.units = static_cast<std::uint32_t>(order.size());
        for (std::uint32_t unit = 0; unit < order.size(); ++unit)
            unitOfRoot[order[unit]] = unit;
        graph.members.resize(order.size());
        graph.unitOf.resize(m_problem.nodes);
        graph.representative.resize(m_problem.nodes);
        for (std::uint32_t node = 0; node < m_problem.nodes; ++node) {
            graph.representative[node] = rootOf(node);
            graph.unitOf[node] = unitOfRoot[rootOf(node)];
            if (graph.unitOf[node] != BalanceGraph::kDropped)
                graph.members[graph.unitOf[node]].push_back(node);
        }
        graph.dropped = std::move(m_dropped);
        const auto renumber = [&](std::vector<std::uint32_t> roots) {
            for (std::uint32_t& root : roots)
                root = unitOfRoot[root];
            std::ranges::sort(roots);
            return roots;
        };
        for (const std::uint32_t root : order) {
            graph.before.push_back(renumber(m_before[root]));
            graph.after.push_back(renumber(m_after[root]));
            graph.bytes.push_back(m_bytes[root]);
            graph.mostBytes.push_back(mostBytes(graph.members[graph.bytes.size() - 1], m_bytes[root]));
        }
        mergeNets(m_nets);
        mergeNets(m_memories);
        for (BalanceGraph::Net& net : m_nets)
            graph.nets.push_back({renumber(net.pins), net.fixed, net.bytes, net.count});
        for (BalanceGraph::Net& memory : m_memories)
            graph.memories.push_back({renumber(memory.pins), memory.fixed, memory.bytes, memory.count});
        graph.netsOf.resize(order.size());
        graph.memoriesOf.resize(order.size());
        for (std::uint32_t net = 0; net < graph.nets.size(); ++net)
            for (const std::uint32_t unit : graph.nets[net].pins)
                graph.netsOf[unit].push_back(net);
        for (std::uint32_t memory = 0; memory < graph.memories.size(); ++memory)
            for (const std::uint32_t unit : graph.memories[memory].pins)
                graph.memoriesOf[unit].push_back(memory);
        graph.overlap = m_problem.overlap;
        graph.hasMemoryLimit = m_hasLimit;
        addClasses(graph, m_classes, [&](std::uint32_t kind, std::uint32_t unit) { return m_seconds[kind][order[unit]]; });
        return graph;
    }

    [[nodiscard]] double mostBytes(const std::vector<std::uint32_t>& members, double bytes) const
    {
        if (m_problem.bytesOf && m_problem.mostExtraBytes.empty())
            return std::numeric_limits<double>::infinity();
        for (const std::uint32_t node : members)
            bytes += m_problem.mostExtraBytes.empty() ? 0 : m_problem.mostExtraBytes[node];
        return bytes;
    }

    const BalanceProblem& m_problem;
    DeviceClasses m_classes;
    std::vector<std::uint32_t> m_parents;
    std::vector<char> m_isLive;
    std::vector<std::vector<std::uint32_t>> m_before;
    std::vector<std::vector<std::uint32_t>> m_after;
    std::vector<std::vector<double>> m_seconds; ///< per kind, per unit
    std::vector<double> m_bytes;
    std::vector<BalanceGraph::Net> m_nets;
    std::vector<BalanceGraph::Net> m_memories;
    std::vector<std::vector<std::uint32_t>> m_netsOf;
    std::vector<char> m_holdsMemory;
    std::vector<BalanceGraph::Dropped> m_dropped;
    std::size_t m_liveCount = 0;
    bool m_hasLimit = false;
};

} // namespace

std::vector<std::uint32_t> BalanceGraph::expanded(std::span<const std::uint32_t> stageOfUnit, std::size_t nodes) const
{
    std::vector<std::uint32_t> stageOf(nodes, 0);
    std::vector<std::uint32_t> stageOfDropped(nodes, 0); // per representative
    const auto stage = [&](std::uint32_t node) {
        return unitOf[node] == kDropped ? stageOfDropped[representative[node]] : stageOfUnit[unitOf[node]];
    };
    for (auto unit = dropped.rbegin(); unit != dropped.rend(); ++unit) {
        std::uint32_t found = unit->isSource || unit->neighbors.empty() ? kDropped : 0;
        for (const std::uint32_t neighbor : unit->neighbors)
            found = unit->isSource ? std::min(found, stage(neighbor)) : std::max(found, stage(neighbor));
        stageOfDropped[representative[unit->node]] = found == kDropped ? 0 : found;
    }
    for (std::uint32_t node = 0; node < nodes; ++node)
        stageOf[node] = stage(node);
    return stageOf;
}

BalanceGraph balanceGraph(const BalanceProblem& problem, Contraction contraction, LinkView links)
{
    return Contractor(problem, links).run(contraction);
}

} // namespace sunder
