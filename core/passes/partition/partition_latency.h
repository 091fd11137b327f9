#pragma once

#include "passes/partition/partition_links.h"
#include "passes/partition/partition_problem.h"
#include "support/number_set.h"

#include <span>

namespace sunder {

/// Estimates the latency of partitions and partitioned graphs with torch's cost model: sums along the longest path, added from
/// its start so that floating-point results match torch's digits. Contains scratch tables.
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

} // namespace sunder
