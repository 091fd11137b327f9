#pragma once

#include "passes/partition/partition_links.h"
#include "passes/partition/partition_problem.h"
#include "support/stamp_set.h"

#include <span>

namespace sunder {

/// Reckons how long partitions and cut graphs take, as torch's cost model has it: sums along the longest path, added
/// up from the front, so that floating point gives torch's digits. Holds scratch tables.
class PartitionLatency {
public:
    explicit PartitionLatency(const PartitionProblem& problem);

    /// The first call without a latency, as an error that names it.
    [[nodiscard]] Result<void> checkComplete() const;

    /// Seconds of the longest path of calls in the partition. `nodes` in graph order. O(nodes + arguments).
    double ofPartition(std::span<const NodeId> nodes);

    /// Seconds of the longest path of partitions, with what moves between two that are on different devices.
    /// Refused when a transfer has to be reckoned without a rate, or partitions lie in a circle.
    Result<double> ofGraph(std::span<const UnnumberedPartition> partitions, const PartitionLinks& links,
                           std::span<const double> latencies);

private:
    Result<double> transfer(const UnnumberedPartition& from, const UnnumberedPartition& to, bool& isFromKnown);
    void findReached(const PartitionLinks& links);

    const PartitionProblem& m_problem;
    StampSet m_members;
    StampSet m_visited;
    std::vector<double> m_pathTo;
    // Of ofGraph(), by partition:
    std::vector<std::uint32_t> m_reached; ///< what lies behind partitions without parents, those included
    std::vector<std::uint32_t> m_ready;
    std::vector<std::uint32_t> m_waiting; ///< parents that are yet to come
    std::vector<char> m_isReached;
    std::vector<double> m_before;
};

} // namespace sunder
