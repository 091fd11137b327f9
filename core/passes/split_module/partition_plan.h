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

/// Plan of a split by partition. Partitions are numbered by first appearance.
struct SplitModulePlan {
    static constexpr std::uint32_t kNone = PartitionAssignment::kNone;

    std::vector<PartitionId> ids;          ///< per partition
    std::vector<std::uint32_t> partOf;     ///< per NodeId: partition of a call; kNone otherwise
    std::vector<NodeId> calls;             ///< grouped by partition, in graph order within one
    std::vector<std::uint32_t> begin;      ///< per partition: start of its calls; one extra entry at the end
    std::vector<NodeId> entering;          ///< placeholders and attributes, in graph order
    std::vector<NodeId> ends;              ///< output nodes
    std::vector<NodeId> targeting;         ///< call_module and get_attr nodes, in graph order
    /// per partition: values that it uses from outside, including attributes, by first use
    std::vector<std::vector<NodeId>> inputs;
    std::vector<std::vector<NodeId>> outputs; ///< per partition: values that other partitions use, by first use
    std::vector<std::vector<std::uint32_t>> dependents; ///< per partition: dependent partitions, by first use
    StateRegions regions;

    [[nodiscard]] std::size_t size() const { return ids.size(); }
    [[nodiscard]] std::span<const NodeId> callsOf(std::uint32_t part) const
    {
        return std::span(calls).subspan(begin[part], begin[part + 1] - begin[part]);
    }
};

/// Groups the calls and records the values that cross between partitions, as torch's split_module does. These are arguments of
/// calls, args before kwargs. For values with an `example_value`, the symbols in their sizes become inputs as well. Setters of
/// autocast and grad mode use no values across boundaries. Refuses a call without a partition, a symbol without a node that
/// provides it, and everything that findStateRegions() refuses. O(nodes + arguments).
Result<SplitModulePlan> planPartitions(const Graph& graph, const PartitionAssignment& partitions,
                                       ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
