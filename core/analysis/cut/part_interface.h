#pragma once

#include "analysis/cut/cut_metrics.h"

#include <vector>

namespace sunder {

/// A value that enters or leaves a part. Name, shape and dtype are those of the node and its `val`.
struct BoundaryValue {
    NodeId node;
    std::uint64_t bytes = 0; ///< 0 if unknown
    bool isKnown = true;
    /// Of an input: the producing part; kUntagged for an input of the program or a call in no part.
    std::int32_t from = TagAssignment::kUntagged;
    std::vector<std::int32_t> to = {}; ///< of an output: other parts that consume it, ascending
    bool toProgram = false;            ///< of an output: also an output of the program
};

/// The inputs and outputs of a part.
struct PartInterface {
    std::vector<BoundaryValue> inputs;  ///< by first use, like the placeholders made by split_by_tags
    std::vector<BoundaryValue> outputs; ///< in graph order
};

/// Returns the interface of each part, in order. Parameters, buffers and constants do not count as inputs, even if a split passes
/// them as such. O(nodes + arguments).
std::vector<PartInterface> partInterfaces(const CutGraph& graph, const TagAssignment& tags);

} // namespace sunder
