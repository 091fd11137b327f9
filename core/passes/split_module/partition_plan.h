#pragma once

#include "analysis/partition_assignment.h"
#include "ir/program.h"
#include "passes/split_module/state_regions.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// What a split by partition will do, decided before anything is built. Partitions are numbered by first appearance.
struct SplitModulePlan {
    static constexpr std::uint32_t kNone = PartitionAssignment::kNone;

    std::vector<PartitionId> ids;          ///< per partition
    std::vector<std::uint32_t> partOf;     ///< per NodeId: partition of a call; kNone otherwise
    std::vector<NodeId> calls;             ///< grouped by partition, in graph order within one
    std::vector<std::uint32_t> begin;      ///< per partition: where its calls begin; one more at the end
    std::vector<NodeId> entering;          ///< placeholders and attributes, in graph order
    std::vector<NodeId> ends;              ///< output nodes
    std::vector<NodeId> targeting;         ///< nodes that call a module or read an attribute, in graph order
    std::vector<std::vector<NodeId>> inputs;  ///< per partition: values that it takes, attributes included, by first use
    std::vector<std::vector<NodeId>> outputs; ///< per partition: values that others take, by first use
    std::vector<std::vector<std::uint32_t>> dependents; ///< per partition: those that need it, by first use
    StateRegions regions;

    [[nodiscard]] std::size_t size() const { return ids.size(); }
    [[nodiscard]] std::span<const NodeId> callsOf(std::uint32_t part) const
    {
        return std::span(calls).subspan(begin[part], begin[part + 1] - begin[part]);
    }
};

/// Groups the calls and records what crosses from partition to partition, as torch's split_module does: arguments of
/// calls, args before kwargs, and for values whose metadata is an `example_value` the symbols in their sizes, which
/// become inputs too. Setters of autocast and grad mode take nothing across. Refuses a call without a partition, a
/// symbol that no node stands for, and what findStateRegions() refuses. O(nodes + arguments).
Result<SplitModulePlan> planPartitions(const Graph& graph, const PartitionAssignment& partitions,
                                       ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
