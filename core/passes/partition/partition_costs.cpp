#include "passes/partition/partition_costs.h"

#include "analysis/cut/cut_text.h"
#include "analysis/cut/part_measure.h"
#include "passes/partition/open_partition.h"
#include "support/format.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sunder {

PartitionLatency::PartitionLatency(const PartitionProblem& problem)
    : m_problem(problem), m_members(problem.graph.idBound()), m_visited(problem.graph.idBound()),
      m_pathTo(problem.graph.idBound(), 0)
{
}

Result<void> PartitionLatency::checkComplete() const
{
    for (const NodeId id : m_problem.graph.nodes())
        if (m_problem.graph[id].isCall() && !m_problem.latencyOf[id.index()]) {
            const std::string name = m_problem.graph[id].name.str();
            return fail(ErrorCode::refused,
                        "node_to_latency has no entry for " + name + ", but mode "
                            + std::string(sunder::name(m_problem.config.mode)) + " needs the latency of every op",
                        {.node = name});
        }
    return {};
}

double PartitionLatency::ofPartition(std::span<const NodeId> nodes)
{
    m_members.clear();
    for (const NodeId id : nodes)
        m_members.insert(id.index());
    double longest = 0;
    for (const NodeId id : nodes) {
        if (!m_problem.graph[id].isCall())
            continue;
        bool isTop = true;
        double before = -std::numeric_limits<double>::infinity();
        for (const NodeId input : m_problem.graph.inputs(id))
            if (m_members.contains(input.index()) && !isLeaf(m_problem.graph[input])) {
                isTop = false;
                before = std::max(before, m_pathTo[input.index()]);
            }
        const NodeLatency& own = *m_problem.latencyOf[id.index()];
        m_pathTo[id.index()] = (isTop ? 0.0 : before) + std::max(own.compute, own.memory);
        const auto users = m_problem.graph.users(id);
        if (std::none_of(users.begin(), users.end(), [this](NodeId user) { return m_members.contains(user.index()); }))
            longest = std::max(longest, m_pathTo[id.index()]);
    }
    return longest;
}

/// `isFromKnown`: whether m_members already holds the members of `from`.
Result<double> PartitionLatency::transfer(const UnnumberedPartition& from, const UnnumberedPartition& to, bool& isFromKnown)
{
    if (!from.devices.empty() && from.devices == to.devices)
        return 0.0;
    const double rate = m_problem.config.transferBytesPerSecond;
    if (rate == 0)
        return fail(ErrorCode::refused, "the partitions exchange values, so transfer_rate_bytes_per_sec must be set and not 0");
    m_visited.clear();
    if (!std::exchange(isFromKnown, true)) {
        m_members.clear();
        for (const NodeId id : from.nodes)
            m_members.insert(id.index());
    }
    std::uint64_t bytes = 0;
    for (const NodeId id : to.nodes)
        for (const NodeId input : m_problem.graph.inputs(id))
            if (m_members.contains(input.index()) && m_visited.insert(input.index()))
                bytes += m_problem.sizes.output[input.index()];
    return static_cast<double>(bytes) / rate;
}

void PartitionLatency::findReached(const PartitionLinks& links)
{
    m_reached.clear();
    m_isReached.assign(links.parents.size(), 0);
    m_waiting.assign(links.parents.size(), 0);
    for (std::uint32_t p = 0; p < links.parents.size(); ++p)
        if (links.parents[p].empty()) {
            m_reached.push_back(p);
            m_isReached[p] = 1;
        }
    m_ready = m_reached;
    for (std::size_t i = 0; i < m_reached.size(); ++i)
        for (const std::uint32_t q : links.children[m_reached[i]]) {
            ++m_waiting[q];
            if (std::exchange(m_isReached[q], char{1}) == 0)
                m_reached.push_back(q);
        }
}

Result<double> PartitionLatency::ofGraph(std::span<const UnnumberedPartition> partitions, const PartitionLinks& links,
                                         std::span<const double> latencies)
{
    findReached(links);
    m_before.assign(partitions.size(), -std::numeric_limits<double>::infinity());
    for (const std::uint32_t p : m_ready)
        m_before[p] = 0;
    double longest = 0;
    std::size_t done = 0;
    for (; !m_ready.empty(); ++done) {
        const std::uint32_t p = m_ready.back();
        m_ready.pop_back();
        const double through = m_before[p] + latencies[p];
        if (links.children[p].empty())
            longest = std::max(longest, through);
        bool isMarked = false;
        for (const std::uint32_t q : links.children[p]) {
            const Result<double> moved = transfer(partitions[p], partitions[q], isMarked);
            if (!moved)
                return moved;
            m_before[q] = std::max(m_before[q], through + *moved);
            if (--m_waiting[q] == 0)
                m_ready.push_back(q);
        }
    }
    if (done != m_reached.size())
        return fail(ErrorCode::refused, "partitions depend on each other in a cycle, so the graph has no latency");
    return longest;
}

std::uint64_t PartitionAccount::used(std::span<const NodeId> nodes)
{
    m_nodes.clear();
    m_memories.clear();
    for (const NodeId id : nodes)
        m_nodes.insert(id.index());
    std::uint64_t bytes = 0;
    for (const NodeId id : nodes) {
        bytes += m_sizes.own[id.index()] + m_memories.add(m_sizes.reads.of(id));
        for (const NodeId input : m_graph.inputs(id))
            if (!m_nodes.contains(input.index()))
                bytes += m_sizes.output[input.index()];
    }
    return bytes;
}

ExplainedNeed explainNeed(const Program& program, const NodeSizes& sizes, std::span<const NodeId> nodes)
{
    const PartSizes kept = measureNodes(cutGraph(program, sizes), nodes).sizes;
    ExplainedNeed need{.pieces = describeNeed(kept, MemoryRule::keepsAll), .otherwise = {}};
    const CutGraph freed = cutGraph(program, MemoryRule::freesDead);
    if (const std::uint64_t peak = measureNodes(freed, nodes).sizes.usedBytes(); peak < kept.usedBytes())
        need.otherwise = "; the run-time peak, which a split by tags uses, is " + formatBytes(peak);
    return need;
}

ExplainedNeed explainNeed(const Program& program, const NodeSizes& sizes)
{
    const auto nodes = program.rootGraph().nodes();
    return explainNeed(program, sizes, std::vector<NodeId>(nodes.begin(), nodes.end()));
}

} // namespace sunder
