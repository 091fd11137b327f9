#pragma once

#include "analysis/partition_assignment.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Returns one partition per tag, with the same name; calls without a tag belong to none. O(nodes).
PartitionAssignment partitionsOfTags(const Graph& graph, const TagAssignment& tags);

/// Starts a partition whenever the calls, in graph order, enter another module; numbers them from 0. The module of a call is that
/// at level `depth` of its stack (1: children of the root module), or the innermost one if the stack is shorter. A call without a
/// module joins the preceding call; leading ones join the first module. Partitions only depend on earlier ones, so a valid call
/// order always exists; a module whose calls are not contiguous has several partitions. O(nodes × depth of their stacks).
PartitionAssignment partitionsByModule(const Program& program, std::uint32_t depth = 1);

/// The effect of a node on the autocast state or grad mode of later nodes.
enum class StateSetter : std::uint8_t { none, enterAutocast, exitAutocast, setGradEnabled };

StateSetter stateSetterOf(const Node& node);

/// The partitions in which a setter is in effect, by index in order of appearance.
struct StateRegion {
    NodeId setter;
    NodeId exit = {}; ///< for autocast
    std::uint32_t first = 0; ///< partition of the setter
    std::uint32_t last = 0; ///< partition of the exit, or of the last call before the next setter of grad mode
};

/// State regions of the root graph, each kind in order of its setters.
struct StateRegions {
    std::vector<StateRegion> autocast;
    std::vector<StateRegion> grad;
};

/// Finds the state regions. `calls`: the calls of the graph in order; `partOf`: the partition of each, by NodeId, numbered by
/// first appearance; `ids`: their names. If there is a region, refuses as PyTorch does: autocast that is never exited or exited
/// twice, state set from computed values, partitions without numbers, and descending numbers. O(calls).
Result<StateRegions> findStateRegions(const Graph& graph, std::span<const NodeId> calls, std::span<const std::uint32_t> partOf,
                                      std::span<const PartitionId> ids);

/// Plan of a split by partition. Partitions are numbered by first appearance.
struct SplitModulePlan {
    static constexpr std::uint32_t kNone = PartitionAssignment::kNone;

    std::vector<PartitionId> ids; ///< per partition
    std::vector<std::uint32_t> partOf; ///< per NodeId: partition of a call; kNone otherwise
    std::vector<NodeId> calls; ///< grouped by partition, in graph order within one
    std::vector<std::uint32_t> begin; ///< per partition: start of its calls; one extra entry at the end
    std::vector<NodeId> entering; ///< placeholders and attributes, in graph order
    std::vector<NodeId> ends; ///< output nodes
    std::vector<NodeId> targeting; ///< call_module and get_attr nodes, in graph order
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

/// Groups the calls and records the values that cross between partitions, as PyTorch's split_module does. These are arguments of
/// calls, args before kwargs. For values with an `example_value`, the symbols in their sizes become inputs as well. Setters of
/// autocast and grad mode use no values across boundaries. Refuses a call without a partition, a symbol without a node that
/// provides it, and everything that findStateRegions() refuses. O(nodes + arguments).
Result<SplitModulePlan> planPartitions(const Graph& graph, const PartitionAssignment& partitions,
                                       ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
