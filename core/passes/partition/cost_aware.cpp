// PyTorch's current cost_aware mode. Every call starts as a separate partition. Each round joins the pair that gives the lowest
// total latency, as long as the latency does not grow. This hill climbing tries every pair in every round, each with a new device
// mapping. It is quartic in calls in the worst case, like PyTorch's, and therefore suited to graphs of hundreds of calls. It groups
// well by compute time and transfers, but can end in a local optimum. Pairs that would form a cycle are skipped. Ties go to the
// last pair.
//
// PyTorch's bug: partitions that fit no device silently stay without one. By default that is an error. To avoid it, pairs are also
// joined while some partitions have no device, even if that does not reduce the latency or leaves some partitions without a
// device, since fewer and larger partitions may fit.

#include "passes/partition/device_mapping.h"
#include "passes/partition/partition_costs.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <limits>

namespace sunder {
namespace {

constexpr double kImpossible = std::numeric_limits<double>::infinity();

/// Cost of a candidate. Candidates that map all partitions to devices come first, then those with lower latency.
struct Cost {
    bool isUnmapped = false;
    double seconds = kImpossible;
    friend auto operator<=>(const Cost&, const Cost&) = default;
};

class CostAware {
public:
    explicit CostAware(const PartitionProblem& problem)
        : m_problem(problem), m_account(problem.graph, problem.sizes), m_latency(problem), m_mapper(problem),
          m_position(problem.graph.positions())
    {
    }

    Result<Partitioning> run()
    {
        SUNDER_PROPAGATE(m_latency.checkComplete());
        SUNDER_PROPAGATE(begin());
        std::size_t first = m_partitions.size();
        while (true) {
            SUNDER_TRY(const bool joined, joinBest());
            if (!joined)
                break;
            m_problem.monitor.report(static_cast<double>(first - m_partitions.size()) / static_cast<double>(first),
                                     "merging partitions");
        }
        if (m_unmapped && !m_problem.asUpstream)
            return noDeviceFor(m_problem, m_partitions, *m_unmapped);
        noteOrigins();
        return Partitioning{.partitions = std::move(m_partitions)};
    }

private:
    /// Records that every call started as a separate partition.
    void noteOrigins()
    {
        for (UnnumberedPartition& partition : m_partitions) {
            const auto calls = std::ranges::count_if(partition.nodes, [this](NodeId id) { return m_problem.graph[id].isCall(); });
            partition.origin = {.kind = PartitionOrigin::Kind::latency, .joined = static_cast<std::uint32_t>(calls)};
        }
    }

    Result<void> begin()
    {
        for (const NodeId id : m_problem.graph.nodes()) {
            if (!m_problem.graph[id].isCall())
                continue;
            UnnumberedPartition partition;
            for (const NodeId input : m_problem.graph.inputs(id)) {
                if (m_problem.sizes.known[input.index()] == 0)
                    return unknownSize(m_problem.program, m_problem.sizes, input);
                if (!m_problem.graph[input].isCall())
                    partition.nodes.push_back(input);
            }
            if (m_problem.sizes.known[id.index()] == 0)
                return unknownSize(m_problem.program, m_problem.sizes, id);
            partition.nodes.push_back(id);
            std::ranges::sort(partition.nodes, {}, [this](NodeId node) { return m_position[node.index()]; });
            append(std::move(partition));
        }
        std::vector<std::span<const NodeId>> members;
        for (const UnnumberedPartition& partition : m_partitions)
            members.emplace_back(partition.nodes);
        LinkFinder(m_problem.graph).find(members, m_links);
        std::vector<UnnumberedPartition> partitions = m_partitions;
        m_unmapped = m_mapper.map(partitions);
        return {};
    }

    void append(UnnumberedPartition partition)
    {
        partition.usedBytes = m_account.used(partition.nodes);
        m_latencies.push_back(m_latency.ofPartition(partition.nodes));
        m_partitions.push_back(std::move(partition));
    }

    /// Runs one round. Returns true if a pair was joined.
    Result<bool> joinBest()
    {
        SUNDER_TRY(const double now, m_latency.ofGraph(m_partitions, m_links, m_latencies));
        if (m_partitions.size() == 1) {
            if (!m_problem.asUpstream)
                remap();
            return false;
        }
        double cost = now;
        Cost wayOut{.isUnmapped = true};
        using Pair = std::pair<std::uint32_t, std::uint32_t>;
        std::optional<Pair> best;
        std::optional<Pair> bestWayOut;
        const std::vector<std::uint32_t> level = partitionLevels(m_links);
        for (std::uint32_t i = 0; i + 1 < m_partitions.size(); ++i) {
            SUNDER_PROPAGATE(m_problem.monitor.check());
            for (std::uint32_t j = i + 1; j < m_partitions.size(); ++j) {
                if (!mayJoin(i, j, level))
                    continue;
                SUNDER_TRY(const Cost tried, costOfJoining(i, j));
                if (!tried.isUnmapped && tried.seconds <= cost) {
                    cost = tried.seconds;
                    best = {i, j};
                }
                if (tried.seconds < kImpossible && tried <= wayOut) {
                    wayOut = tried;
                    bestWayOut = {i, j};
                }
            }
        }
        if (!best && m_unmapped && !m_problem.asUpstream)
            best = bestWayOut;
        if (best)
            join(best->first, best->second);
        remap();
        return best.has_value();
    }

    [[nodiscard]] bool mayJoin(std::uint32_t i, std::uint32_t j, const std::vector<std::uint32_t>& level) const
    {
        if (std::max(level[i], level[j]) - std::min(level[i], level[j]) <= 1)
            return true;
        const auto isLink = [this](std::uint32_t from, std::uint32_t to) {
            return std::binary_search(m_links.children[from].begin(), m_links.children[from].end(), to);
        };
        return isLink(i, j) || isLink(j, i);
    }

    Result<Cost> costOfJoining(std::uint32_t i, std::uint32_t j)
    {
        joinLinks(i, j);
        if (isOnCircle(m_joinedLinks, static_cast<std::uint32_t>(m_partitions.size() - 2)))
            return Cost{};
        joinMembers(i, j);
        Result<Cost> cost = costOfJoined();
        connectedParts(i, j);
        return cost;
    }

    /// Cost of the trial state of m_partitions, with the joined partition last and links in m_joinedLinks.
    Result<Cost> costOfJoined()
    {
        clearDevices();
        const bool isUnmapped = m_mapper.map(m_partitions).has_value();
        if (isUnmapped && (m_problem.asUpstream || !m_unmapped || !fitsSomewhere(m_partitions.back())))
            return Cost{};
        if (isUnmapped)
            clearDevices();
        SUNDER_TRY(const double seconds, m_latency.ofGraph(m_partitions, m_joinedLinks, m_latencies));
        return Cost{.isUnmapped = isUnmapped, .seconds = seconds};
    }

    [[nodiscard]] bool fitsSomewhere(const UnnumberedPartition& partition) const
    {
        const std::vector<Device>& devices = m_problem.config.devices;
        return std::any_of(devices.begin(), devices.end(), [&](const Device& device) {
            return static_cast<double>(partition.usedBytes) <= device.availableBytes;
        });
    }

    /// Device assignments are meaningless after trials until remap().
    void clearDevices()
    {
        for (UnnumberedPartition& partition : m_partitions)
            partition.devices.clear();
    }

    /// Computes the links after joining i and j. The joined partition is last in the list, as in PyTorch's. Since every call is in
    /// one partition, links can be updated instead of recomputed.
    void joinLinks(std::uint32_t i, std::uint32_t j)
    {
        const auto last = static_cast<std::uint32_t>(m_partitions.size() - 2);
        const auto newIndex = [&](std::uint32_t p) { return p - (p > i ? 1U : 0U) - (p > j ? 1U : 0U); };
        const auto addOthers = [&](const std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to) {
            bool isCut = false;
            for (const std::uint32_t p : from) {
                isCut = isCut || p == i || p == j;
                if (p != i && p != j)
                    to.push_back(newIndex(p));
            }
            return isCut;
        };
        for (const auto lists : {&PartitionLinks::parents, &PartitionLinks::children}) {
            const std::vector<std::vector<std::uint32_t>>& from = m_links.*lists;
            std::vector<std::vector<std::uint32_t>>& to = m_joinedLinks.*lists;
            to.resize(m_partitions.size() - 1);
            for (std::vector<std::uint32_t>& list : to)
                list.clear();
            for (std::uint32_t p = 0; p < from.size(); ++p)
                if (p != i && p != j && addOthers(from[p], to[newIndex(p)]))
                    to[newIndex(p)].push_back(last);
            addOthers(from[i], to[last]);
            addOthers(from[j], to[last]);
            sortUnique(to[last]);
        }
    }

    void joinMembers(std::uint32_t i, std::uint32_t j)
    {
        UnnumberedPartition joined = std::move(m_spare);
        joined.nodes.clear();
        std::ranges::set_union(
            m_partitions[i].nodes, m_partitions[j].nodes, std::back_inserter(joined.nodes), {},
            [this](NodeId id) { return m_position[id.index()]; }, [this](NodeId id) { return m_position[id.index()]; });
        append(std::move(joined));
        for (const auto& [gone, kept] : {std::pair(j, &m_second), std::pair(i, &m_first)}) {
            kept->partition = std::move(m_partitions[gone]);
            kept->latency = m_latencies[gone];
            m_partitions.erase(m_partitions.begin() + gone);
            m_latencies.erase(m_latencies.begin() + gone);
        }
    }

    /// Undoes joinMembers().
    void connectedParts(std::uint32_t i, std::uint32_t j)
    {
        m_spare = std::move(m_partitions.back());
        m_partitions.pop_back();
        m_latencies.pop_back();
        for (const auto& [back, kept] : {std::pair(i, &m_first), std::pair(j, &m_second)}) {
            m_partitions.insert(m_partitions.begin() + back, std::move(kept->partition));
            m_latencies.insert(m_latencies.begin() + back, kept->latency);
        }
    }

    void join(std::uint32_t i, std::uint32_t j)
    {
        joinLinks(i, j);
        std::swap(m_links, m_joinedLinks);
        joinMembers(i, j);
    }

    void remap()
    {
        clearDevices();
        m_unmapped = m_mapper.map(m_partitions);
    }

    /// A partition that was joined for a trial.
    struct Kept {
        UnnumberedPartition partition;
        double latency = 0;
    };

    const PartitionProblem& m_problem;
    PartitionAccount m_account;
    PartitionLatency m_latency;
    DeviceMapper m_mapper;
    std::vector<std::uint32_t> m_position;
    std::vector<UnnumberedPartition> m_partitions; ///< nodes in graph order
    std::vector<double> m_latencies; ///< per partition
    PartitionLinks m_links;
    PartitionLinks m_joinedLinks; ///< of a trial
    Kept m_first;
    Kept m_second;
    UnnumberedPartition m_spare; ///< reused memory
    std::optional<Unmapped> m_unmapped; ///< for the current partitions
};

} // namespace

Result<Partitioning> partitionCostAware(const PartitionProblem& problem)
{
    return CostAware(problem).run();
}

} // namespace sunder
