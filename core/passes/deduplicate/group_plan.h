#pragma once

#include "analysis/run_order/memory_classes.h"
#include "analysis/run_order/ranked_graph.h"
#include "ir/program.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// A value that a region is given: argument number `argument` (counting nodes) of its node at `place`; or, when it takes
/// an outer tuple apart, its node at `place`, which then stays outside.
struct RegionOperand {
    std::uint32_t place;
    std::uint32_t argument = 0;
    bool isPart = false;
    std::uint32_t container = 0; ///< of a part: rank, in the first region, of the tuple that it comes from
};

/// A value that is, in every region, the value at another place or an operand: `to(float32)` of a float32 tensor. Whoever
/// reads it outside is given that one.
struct SameValue {
    std::uint32_t place;
    bool isOperand;
    std::uint32_t of; ///< a place, or an index into the operands
};

/// An operand that is, in every region, the same value as one that is passed before it, which stands for both.
struct TwinOperand {
    RegionOperand operand;
    std::uint32_t of; ///< index into the operands
};

/// How the regions of a group become calls of one subgraph, in places of the region; the same for all of them.
struct GroupPlan {
    std::vector<std::uint32_t> inner;     ///< places whose nodes go into the subgraph, in order
    std::vector<RegionOperand> operands;  ///< in the order in which torch passes them
    std::vector<std::uint32_t> outputs;   ///< places whose values leave some region, but for those in `same`
    std::vector<SameValue> same = {};
    std::vector<TwinOperand> twins = {};
    std::vector<std::optional<Argument>> described = {}; ///< per operand: what it is in all regions, wherever it lies
    std::vector<char> isInner;            ///< per place
};

/// A region as ranks.
std::vector<std::uint32_t> ranksOf(const RankedGraph& graph, std::span<const NodeId> region);
/// The rank of a region's operand.
std::uint32_t operandOf(const RankedGraph& graph, std::span<const std::uint32_t> region, const RegionOperand& operand);
/// True for tuples, lists, named tuples and dicts.
bool isContainer(const RankedGraph& graph, std::uint32_t rank);

/// Plans a group whose regions are copies of each other. Parts of outer tuples are taken outside, since a subgraph is
/// given tensors and numbers. Empty `inner` when it cannot be done; `why` then says why; and once
/// `monitor` was cancelled. O(arguments of the group).
GroupPlan planGroup(const Program& program, const RankedGraph& graph, const MemoryClasses& memory, const RegionGroup& group,
                    std::string& why, ProgressMonitor& monitor);

} // namespace sunder
