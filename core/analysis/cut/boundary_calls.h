#pragma once

#include "analysis/cut/cut_graph.h"

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

} // namespace sunder
