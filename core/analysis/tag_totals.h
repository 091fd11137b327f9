#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// The number of call nodes, and the bytes of parameters, buffers and constants that they read, each memory once.
struct TagTotal {
    std::uint64_t ops = 0;
    std::uint64_t bytes = 0;
};

struct TagTotals {
    std::vector<TagTotal> tags; ///< per tag, in order
    TagTotal untagged;
};

/// Totals per tag. O(nodes + reads).
TagTotals tagTotals(const Snapshot& snapshot, const TagAssignment& tags);

/// Totals of a set of nodes.
TagTotal totalOf(const Snapshot& snapshot, std::span<const NodeId> nodes);

} // namespace sunder
