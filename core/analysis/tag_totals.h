#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Call nodes, and bytes of parameters, buffers and constants that they read, each memory once.
struct TagTotal {
    std::uint64_t ops = 0;
    std::uint64_t bytes = 0;
};

struct TagTotals {
    std::vector<TagTotal> tags; ///< per tag in order
    TagTotal untagged;
};

/// O(nodes + reads).
TagTotals tagTotals(const Snapshot& snapshot, const TagAssignment& tags);

/// The same for any set of nodes together.
TagTotal totalOf(const Snapshot& snapshot, std::span<const NodeId> nodes);

} // namespace sunder
