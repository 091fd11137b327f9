#pragma once

#include "analysis/cut/cut_metrics.h"

#include <vector>

namespace sunder {

/// A value that enters or leaves a part. Name, shape and dtype are those of the node and its `val`.
struct BoundaryValue {
    NodeId node;
    std::uint64_t bytes = 0; ///< 0 when not known
    bool isKnown = true;
    /// Of an input: the part that makes it; kUntagged for an input of the program or a call in no part.
    std::int32_t from = TagAssignment::kUntagged;
    std::vector<std::int32_t> to = {}; ///< of an output: the other parts that read it, ascending
    bool toProgram = false;            ///< of an output: the program gives it too
};

/// What a part takes and gives.
struct PartInterface {
    std::vector<BoundaryValue> inputs;  ///< by first use, as split_by_tags makes placeholders
    std::vector<BoundaryValue> outputs; ///< in graph order
};

/// The interface of every part, in the order of parts. Parameters, buffers and constants are no inputs here, whether or
/// not a split passes them as such. O(nodes + arguments).
std::vector<PartInterface> partInterfaces(const CutGraph& graph, const TagAssignment& tags);

} // namespace sunder
