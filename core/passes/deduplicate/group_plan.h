#pragma once

#include "passes/regions/ranked_graph.h"
#include "passes/regions/region_result.h"
#include "ir/program.h"

#include <cstdint>
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

/// How the regions of a group become calls of one subgraph, in places of the region; the same for all of them.
struct GroupPlan {
    std::vector<std::uint32_t> inner;     ///< places whose nodes go into the subgraph, in order
    std::vector<RegionOperand> operands;  ///< in the order in which torch passes them
    std::vector<std::uint32_t> outputs;   ///< places whose values leave some region
    std::vector<char> isInner;            ///< per place
};

/// A region as ranks.
std::vector<std::uint32_t> ranksOf(const RankedGraph& graph, std::span<const NodeId> region);
/// The rank of a region's operand.
std::uint32_t operandOf(const RankedGraph& graph, std::span<const std::uint32_t> region, const RegionOperand& operand);
/// True for tuples, lists, named tuples and dicts.
bool isContainer(const RankedGraph& graph, std::uint32_t rank);

/// Plans a group whose regions are copies of each other. Parts of outer tuples are taken outside, since a subgraph is
/// given tensors and numbers. Empty `inner` when it cannot be done; `why` then says why. O(arguments of the group).
GroupPlan planGroup(const Program& program, const RankedGraph& graph, const RegionGroup& group, std::string& why);

} // namespace sunder
