// PyTorch's current kl_based mode, after Kernighan and Lin, "An efficient heuristic procedure for partitioning graphs" (1970).
// Starts from size_based. For each call in turn, tries to move it to every other partition, alone or in exchange for each call
// there, and performs the change that reduces total latency most. There is one pass, so the result stays close to the start.
// Every attempt recomputes the latency of the graph, so the mode suits graphs of hundreds of calls.
//
// PyTorch's bugs: exchanges never reach the split, which stays the size-based one. An attempt is rated by its last candidate, a
// move without exchange, although the cheapest one is performed. The chosen exchange is never cleared and is repeated after every
// further call. By default the cheapest candidate is rated, performed once, and used for the split.

#include "passes/partition/device_mapping.h"
#include "passes/partition/open_partition.h"
#include "passes/partition/partition_costs.h"

#include <algorithm>
#include <limits>

namespace sunder {
namespace {

constexpr double kNoGain = std::numeric_limits<double>::infinity();

/// A call to move from `from` to `to`, and one to move back; either may be invalid.
struct Exchange {
    NodeId give;
    NodeId take;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

class KernighanLin {
public:
    KernighanLin(const PartitionProblem& problem, std::vector<UnnumberedPartition> partitions)
        : m_problem(problem), m_partitions(std::move(partitions)), m_account(problem.graph, problem.sizes), m_latency(problem),
          m_mapper(problem), m_linkFinder(problem.graph), m_position(problem.graph.positions()),
          m_owner(problem.graph.idBound(), 0)
    {
        for (std::uint32_t p = 0; p < m_partitions.size(); ++p) {
            m_isIn.emplace_back(problem.graph.idBound(), 0);
            for (const NodeId id : m_partitions[p].nodes) {
                m_isIn[p][id.index()] = 1;
                if (problem.graph[id].isCall())
                    m_owner[id.index()] = p;
            }
        }
    }

    Result<Partitioning> run()
    {
        SUNDER_PROPAGATE(m_latency.checkComplete());
        for (std::uint32_t p = 0; p < m_partitions.size(); ++p)
            reckon(p);
        SUNDER_TRY(const double start, m_latency.ofGraph(m_partitions, links(), m_latencies));
        m_cost = start;
        const std::vector<std::uint32_t> sizeBased = m_owner;
        std::size_t done = 0;
        for (const NodeId id : m_problem.graph.nodes()) {
            SUNDER_PROPAGATE(m_problem.monitor.check());
            m_problem.monitor.report(static_cast<double>(done++) / static_cast<double>(m_problem.graph.size()),
                                     "exchanging nodes");
            if (m_problem.graph[id].isCall())
                SUNDER_PROPAGATE(improve(id));
        }
        remapAfterTries();
        if (const std::optional<Unmapped> unmapped = m_mapper.map(m_partitions); unmapped && !m_problem.asUpstream)
            return noDeviceFor(m_problem, m_partitions, *unmapped);
        noteExchanged(sizeBased);
        return Partitioning{.partitions = std::move(m_partitions),
                            .splitInto = m_problem.asUpstream ? sizeBased : std::vector<std::uint32_t>()};
    }

private:
    /// With `asUpstream`, exchanges do not affect the split, so none are counted.
    void noteExchanged(const std::vector<std::uint32_t>& sizeBased)
    {
        for (UnnumberedPartition& partition : m_partitions)
            partition.origin.exchanged = 0;
        for (const NodeId id : m_problem.graph.nodes())
            if (m_problem.graph[id].isCall() && !m_problem.asUpstream && m_owner[id.index()] != sizeBased[id.index()])
                ++*m_partitions[m_owner[id.index()]].origin.exchanged;
    }

    Result<void> improve(NodeId node)
    {
        const std::uint32_t from = m_owner[node.index()];
        for (std::uint32_t to = 0; to < m_partitions.size(); ++to) {
            if (to == from)
                continue;
            SUNDER_TRY(const auto tried, tryAll(node, from, to));
            if (tried.first < m_cost) {
                m_cost = tried.first;
                m_chosen = tried.second;
            }
        }
        if (!m_chosen || (!m_chosen->give && !m_chosen->take))
            return {};
        remapAfterTries();
        exchange(*m_chosen);
        if (!m_problem.asUpstream) {
            m_owner[m_chosen->give.index()] = m_chosen->to;
            if (m_chosen->take)
                m_owner[m_chosen->take.index()] = m_chosen->from;
            m_chosen.reset();
            clearDevices();
        }
        m_mapper.map(m_partitions);
        return {};
    }

    /// Tries to exchange `node` with each call of `to`, or to move it alone. Returns the lowest cost (upstream: the cost of the
    /// last attempt, the move alone) and the cheapest exchange.
    Result<std::pair<double, Exchange>> tryAll(NodeId node, std::uint32_t from, std::uint32_t to)
    {
        std::vector<NodeId> candidates;
        for (const NodeId id : m_partitions[to].nodes)
            if (m_problem.graph[id].isCall())
                candidates.push_back(id);
        candidates.emplace_back();
        double least = kNoGain;
        double last = kNoGain;
        Exchange best;
        for (const NodeId candidate : candidates) {
            const Exchange attempt{.give = node, .take = candidate, .from = from, .to = to};
            SUNDER_TRY(const double cost, costOf(attempt));
            last = cost;
            if (cost < least) {
                least = cost;
                best = attempt;
            }
        }
        return std::pair(m_problem.asUpstream ? last : least, best);
    }

    Result<double> costOf(const Exchange& attempt)
    {
        exchange(attempt);
        const Result<double> cost = costNow(attempt.from, attempt.to);
        exchange({.give = attempt.take, .take = attempt.give, .from = attempt.from, .to = attempt.to});
        m_hasTried = true;
        return cost;
    }

    Result<double> costNow(std::uint32_t from, std::uint32_t to)
    {
        const PartitionLinks& now = links();
        if (isOnCircle(now, from) || isOnCircle(now, to))
            return kNoGain;
        clearDevices();
        if (m_mapper.map(m_partitions))
            return kNoGain;
        return m_latency.ofGraph(m_partitions, now, m_latencies);
    }

    void exchange(const Exchange& wanted)
    {
        if (wanted.give) {
            remove(wanted.from, wanted.give);
            add(wanted.to, wanted.give);
        }
        if (wanted.take) {
            add(wanted.from, wanted.take);
            remove(wanted.to, wanted.take);
        }
        reckon(wanted.from);
        reckon(wanted.to);
    }

    void add(std::uint32_t partition, NodeId node)
    {
        for (const NodeId input : m_problem.graph.inputs(node))
            if (isLeaf(m_problem.graph[input]))
                insert(partition, input);
        insert(partition, node);
    }

    void insert(std::uint32_t partition, NodeId node)
    {
        if (std::exchange(m_isIn[partition][node.index()], char{1}) != 0)
            return;
        std::vector<NodeId>& nodes = m_partitions[partition].nodes;
        nodes.insert(placeOf(nodes, node), node);
    }

    void remove(std::uint32_t partition, NodeId node)
    {
        if (m_isIn[partition][node.index()] == 0)
            return;
        erase(partition, node);
        for (const NodeId input : m_problem.graph.inputs(node)) {
            const auto users = m_problem.graph.users(input);
            if (isLeaf(m_problem.graph[input]) && m_isIn[partition][input.index()] != 0
                && std::none_of(users.begin(), users.end(), [&](NodeId user) { return m_isIn[partition][user.index()] != 0; }))
                erase(partition, input);
        }
    }

    void erase(std::uint32_t partition, NodeId node)
    {
        m_isIn[partition][node.index()] = 0;
        std::vector<NodeId>& nodes = m_partitions[partition].nodes;
        nodes.erase(placeOf(nodes, node));
    }

    [[nodiscard]] std::vector<NodeId>::iterator placeOf(std::vector<NodeId>& nodes, NodeId node) const
    {
        return std::lower_bound(nodes.begin(), nodes.end(), node,
                                [this](NodeId a, NodeId b) { return m_position[a.index()] < m_position[b.index()]; });
    }

    void reckon(std::uint32_t partition)
    {
        m_partitions[partition].usedBytes = m_account.used(m_partitions[partition].nodes);
        m_latencies.resize(m_partitions.size(), 0);
        m_latencies[partition] = m_latency.ofPartition(m_partitions[partition].nodes);
    }

    const PartitionLinks& links()
    {
        m_members.clear();
        for (const UnnumberedPartition& partition : m_partitions)
            m_members.emplace_back(partition.nodes);
        m_linkFinder.find(m_members, m_links);
        return m_links;
    }

    void clearDevices()
    {
        for (UnnumberedPartition& partition : m_partitions)
            partition.devices.clear();
    }

    /// torch remaps the original partitions after every attempt; only the last mapping is visible.
    void remapAfterTries()
    {
        if (!std::exchange(m_hasTried, false))
            return;
        clearDevices();
        m_mapper.map(m_partitions);
    }

    const PartitionProblem& m_problem;
    std::vector<UnnumberedPartition> m_partitions; ///< nodes in graph order
    std::vector<std::vector<char>> m_isIn; ///< per partition and NodeId
    std::vector<double> m_latencies; ///< per partition
    PartitionAccount m_account;
    PartitionLatency m_latency;
    DeviceMapper m_mapper;
    LinkFinder m_linkFinder;
    std::vector<std::span<const NodeId>> m_members; ///< per partition; input of links()
    PartitionLinks m_links; ///< result of the last links()
    std::vector<std::uint32_t> m_position;
    std::vector<std::uint32_t> m_owner; ///< per call; never updated with asUpstream
    std::optional<Exchange> m_chosen;
    double m_cost = 0;
    bool m_hasTried = false;
};

} // namespace

Result<Partitioning> partitionKernighanLin(const PartitionProblem& problem)
{
    Result<Partitioning> sizeBased = partitionBySize(problem);
    if (!sizeBased)
        return sizeBased;
    const std::vector<std::uint32_t> position = problem.graph.positions();
    for (UnnumberedPartition& partition : sizeBased->partitions)
        std::sort(partition.nodes.begin(), partition.nodes.end(),
                  [&](NodeId a, NodeId b) { return position[a.index()] < position[b.index()]; });
    const std::size_t partitions = sizeBased->partitions.size();
    if (static_cast<double>(partitions) * static_cast<double>(problem.graph.idBound()) > 1e9)
        return fail(ErrorCode::refused,
                    "the graph has " + std::to_string(problem.graph.size()) + " nodes in " + std::to_string(partitions)
                        + " partitions, too many for kl_based, which tries every pair; use size_based");
    return KernighanLin(problem, std::move(sizeBased->partitions)).run();
}

} // namespace sunder
