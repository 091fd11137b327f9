#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"

#include <span>
#include <string>

namespace sunder {

/// The effect of assigning a tag to ops.
struct FillEffect {
    std::size_t ops = 0;             ///< ops whose tag changes
    std::uint64_t bytes = 0;         ///< of the parameters, buffers and constants that they read, each memory once
    std::size_t backwardBefore = 0;  ///< backward edges in the order of tags
    std::size_t backwardAdded = 0;   ///< edges that become backward
    std::size_t backwardMended = 0;  ///< edges that stop being backward
    std::size_t untaggedBefore = 0;  ///< calls without a tag
    std::size_t untaggedAfter = 0;

    [[nodiscard]] std::size_t backwardAfter() const { return backwardBefore + backwardAdded - backwardMended; }
    /// Like TagReport::isLegal(), if all tags are in the order.
    [[nodiscard]] bool wasLegal() const { return untaggedBefore == 0 && backwardBefore == 0; }
    [[nodiscard]] bool isLegal() const { return untaggedAfter == 0 && backwardAfter() == 0; }
};

/// Computes the effect of giving these calls the tag with this index in the order, or kUntagged. Ignores nodes that are not calls
/// or already have the tag. O(nodes + uses).
FillEffect fillEffect(const Snapshot& snapshot, const TagAssignment& tags, std::span<const NodeId> nodes, std::int32_t tag);

/// Returns "96 ops, 1.2 GB".
std::string describeAmount(const FillEffect& effect);

/// Describes the legality of the cut: "the cut stays legal", "adds 3 backward edges", "no backward edges; 12 untagged ops".
std::string describeLegality(const FillEffect& effect);

} // namespace sunder
