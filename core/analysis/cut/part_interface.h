#pragma once

#include "analysis/cut/cut_graph.h"
#include "analysis/cut/cut_metrics.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// A call with an edge to another part, which could be moved across the boundary.
struct BoundaryCall {
    NodeId node;
    std::vector<std::int32_t> from; ///< other parts that it consumes from, ascending
    std::vector<std::int32_t> to;   ///< other parts that consume its result, ascending
    std::uint64_t bytes = 0;        ///< of its result if it leaves, otherwise of its inputs from other parts
    [[nodiscard]] bool leaves() const { return !to.empty(); }
    friend bool operator==(const BoundaryCall&, const BoundaryCall&) = default;
};

/// The boundary of a part. A call with both producers and consumers in other parts counts only as leaving.
struct PartBoundary {
    std::vector<BoundaryCall> calls; ///< in graph order
    std::size_t entering = 0;        ///< calls that only consume from other parts, including unlisted ones
    std::size_t leaving = 0;
};

/// Returns the boundary of each part, in order. Lists the `most` entering and the `most` leaving calls with the most bytes; ties
/// prefer calls nearest to the boundary (the first entering, the last leaving). Calls in no part are ignored. O(arguments +
/// readers).
std::vector<PartBoundary> partBoundaries(const CutGraph& graph, const TagAssignment& tags, std::size_t most);

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
