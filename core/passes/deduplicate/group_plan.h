#pragma once

#include "analysis/run_order/memory_classes.h"
#include "analysis/run_order/ranked_graph.h"
#include "ir/program.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// An input of a region: argument number `argument` (counting nodes) of its node at `place`. If `isPart`: the node at `place`,
/// which takes an item of an outer tuple and stays outside the subgraph.
struct RegionOperand {
    std::uint32_t place;
    std::uint32_t argument = 0;
    bool isPart = false;
    std::uint32_t container = 0; ///< of a part: rank of the outer tuple in the first region
};

/// A value that equals the value at another place, or an operand, in every region, e.g. `to(float32)` of a float32 tensor.
/// Consumers outside the region use that value instead.
struct SameValue {
    std::uint32_t place;
    bool isOperand;
    std::uint32_t of; ///< a place, or an index into the operands
};

/// An operand with the same value as an earlier operand in every region. Only the earlier one is passed.
struct TwinOperand {
    RegionOperand operand;
    std::uint32_t of; ///< index into the operands
};

/// How the regions of a group become calls of one subgraph. Valid for all regions; nodes are given by their place in a region.
struct GroupPlan {
    std::vector<std::uint32_t> inner;     ///< places whose nodes move into the subgraph, in order
    std::vector<RegionOperand> operands;  ///< in the order in which PyTorch passes them
    std::vector<std::uint32_t> outputs;   ///< places whose values leave some region, except those in `same`
    std::vector<SameValue> same = {};
    std::vector<TwinOperand> twins = {};
    std::vector<std::optional<Argument>> described = {}; ///< per operand: its value in all regions, without storage
    std::vector<char> isInner;            ///< per place
};

/// Returns the ranks of a region's nodes.
std::vector<std::uint32_t> ranksOf(const RankedGraph& graph, std::span<const NodeId> region);
/// Returns the rank of a region's operand.
std::uint32_t operandOf(const RankedGraph& graph, std::span<const std::uint32_t> region, const RegionOperand& operand);
/// True for tuples, lists, named tuples and dicts.
bool isContainer(const RankedGraph& graph, std::uint32_t rank);

/// Plans a group whose regions are copies of each other. Items of outer tuples are taken outside, since a subgraph takes only
/// tensors and numbers. If the group cannot be replaced, `inner` is empty and `why` holds the reason. Fails with
/// ErrorCode::cancelled. O(arguments of the group).
Result<GroupPlan> planGroup(const Program& program, const RankedGraph& graph, const MemoryClasses& memory,
                            const RegionGroup& group, std::string& why, ProgressMonitor& monitor);

} // namespace sunder
