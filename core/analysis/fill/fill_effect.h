#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"

#include <span>
#include <string>

namespace sunder {

/// What giving some ops a tag would change.
struct FillEffect {
    std::size_t ops = 0;             ///< that change their tag
    std::uint64_t bytes = 0;         ///< of parameters, buffers and constants that they read, each memory once
    std::size_t backwardBefore = 0;  ///< edges that run backwards in the order of tags
    std::size_t backwardAdded = 0;   ///< that do not now and would
    std::size_t backwardMended = 0;  ///< that do now and would not
    std::size_t untaggedBefore = 0;  ///< calls without a tag
    std::size_t untaggedAfter = 0;

    [[nodiscard]] std::size_t backwardAfter() const { return backwardBefore + backwardAdded - backwardMended; }
    /// As TagReport::isLegal(), for tags that all stand in the order.
    [[nodiscard]] bool wasLegal() const { return untaggedBefore == 0 && backwardBefore == 0; }
    [[nodiscard]] bool isLegal() const { return untaggedAfter == 0 && backwardAfter() == 0; }
};

/// What it would change to give these calls the tag at this index of the order, or kUntagged. What is no call or has that tag
/// is passed over. O(nodes + uses).
FillEffect fillEffect(const Snapshot& snapshot, const TagAssignment& tags, std::span<const NodeId> nodes, std::int32_t tag);

/// "96 ops, 1.2 GB".
std::string describeAmount(const FillEffect& effect);

/// Whether the cut stays legal: "the cut stays legal", "adds 3 backward edges", "no edge runs backwards; 12 ops have no tag yet".
std::string describeLegality(const FillEffect& effect);

} // namespace sunder
