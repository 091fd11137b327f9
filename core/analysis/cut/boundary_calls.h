#pragma once

#include "analysis/cut/cut_graph.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// A call with an edge to another part: what could be moved over the border.
struct BoundaryCall {
    NodeId node;
    std::vector<std::int32_t> from; ///< other parts whose results it reads, ascending
    std::vector<std::int32_t> to;   ///< other parts that read its result, ascending
    std::uint64_t bytes = 0;        ///< of its result when it leaves, else of what it takes from other parts
    [[nodiscard]] bool leaves() const { return !to.empty(); }
    friend bool operator==(const BoundaryCall&, const BoundaryCall&) = default;
};

/// The border of a part. A call that reads from other parts and is read by others counts as leaving alone.
struct PartBoundary {
    std::vector<BoundaryCall> calls; ///< in graph order
    std::size_t entering = 0;        ///< calls that only read from other parts, listed or not
    std::size_t leaving = 0;
};

/// The border of every part, in the order of parts; of the calls that enter and of those that leave, the `most` with the
/// most bytes (of equals, those next to the border: the first that enter, the last that leave). Calls in no part count
/// for nothing. O(arguments + readers).
std::vector<PartBoundary> partBoundaries(const CutGraph& graph, const TagAssignment& tags, std::size_t most);

} // namespace sunder
