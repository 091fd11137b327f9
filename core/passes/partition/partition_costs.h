#pragma once

#include "analysis/cut/node_sizes.h"
#include "analysis/sizes.h"
#include "ir/program.h"
#include "passes/partition/partition_links.h"
#include "passes/partition/partition_problem.h"
#include "support/number_set.h"

#include <span>
#include <string>

namespace sunder {

/// Computes the device memory used by sets of nodes. Contains scratch tables; reuse one instance for many queries.
class PartitionAccount {
public:
    PartitionAccount(const Graph& graph, const NodeSizes& sizes)
        : m_graph(graph), m_sizes(sizes), m_nodes(graph.idBound()), m_memories(sizes.memory.bytes)
    {
    }

    /// Returns bytes as PyTorch counts them: bytes owned by the nodes, plus for each node the outputs of its inputs outside the
    /// set, so that an outside value counts once per consumer. Memories count once. For actual device use, with each outside
    /// value counted once, see DeviceLoad under MemoryRule::keepsAll. O(nodes + arguments).
    [[nodiscard]] std::uint64_t used(std::span<const NodeId> nodes);

private:
    const Graph& m_graph;
    const NodeSizes& m_sizes;
    StampSet m_nodes;
    MemorySum m_memories;
};

/// Estimates the latency of partitions and partitioned graphs with PyTorch's cost model: sums along the longest path, added from
/// its start so that floating-point results match PyTorch's digits. Contains scratch tables.
class PartitionLatency {
public:
    explicit PartitionLatency(const PartitionProblem& problem);

    /// Returns an error that names the first call without a latency, if any.
    [[nodiscard]] Result<void> checkComplete() const;

    /// Returns the seconds of the longest path of calls in the partition. `nodes` are in graph order. O(nodes + arguments).
    double ofPartition(std::span<const NodeId> nodes);

    /// Returns the seconds of the longest path of partitions, including transfers between different devices. Returns
    /// ErrorCode::refused if a transfer needs a rate that is not given, or if partitions form a cycle.
    Result<double> ofGraph(std::span<const UnnumberedPartition> partitions, const PartitionLinks& links,
                           std::span<const double> latencies);

private:
    Result<double> transfer(const UnnumberedPartition& from, const UnnumberedPartition& to, bool& isFromKnown);
    void findReached(const PartitionLinks& links);

    const PartitionProblem& m_problem;
    StampSet m_members;
    StampSet m_visited;
    std::vector<double> m_pathTo;
    // Scratch of ofGraph(), by partition:
    std::vector<std::uint32_t> m_reached; ///< partitions without parents, and their descendants
    std::vector<std::uint32_t> m_ready;
    std::vector<std::uint32_t> m_waiting; ///< number of unprocessed parents
    std::vector<char> m_isReached;
    std::vector<double> m_before;
};

/// Describes the memory need of a set of calls for error messages: as PyTorch counts it, which partitioners use, and the peak
/// during a run.
struct ExplainedNeed {
    std::string pieces; ///< e.g. "weights 5.0 GB, activations 4.0 GB that are never freed, inputs 40.0 MB"
    /// e.g. "; the run-time peak, which a split by tags uses, is 6.2 GB"; empty if the peak is not lower
    std::string otherwise;
};

/// Explains the need of the given nodes; ignores nodes that are not calls. O(nodes + arguments).
ExplainedNeed explainNeed(const Program& program, const NodeSizes& sizes, std::span<const NodeId> nodes);

/// Explains the need of all calls of the graph.
ExplainedNeed explainNeed(const Program& program, const NodeSizes& sizes);

} // namespace sunder
