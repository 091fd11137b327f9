#pragma once

#include "analysis/fill/fill.h"
#include "analysis/fill/fill_effect.h"
#include "document/tag_state.h"

namespace sunder {

/// Preview of a fill: computed synchronously or by a job, and shown before it is applied.
struct FillPlan {
    Fill fill;
    FillEffect effect;           ///< effect of giving `changes` the tag
    std::vector<NodeId> changes; ///< nodes of the fill that would change their tag
    std::int32_t tag = TagAssignment::kUntagged;
    QString kept = {}; ///< count and reason of nodes that are locked or protected: "2 ops keep their tags: stage0 is locked"
};

/// Plans a fill for a tag state. Returns the same errors as fillOf(). O(nodes + uses).
Result<FillPlan> planFill(const Snapshot& snapshot, const TagState& state, const FillRequest& request);

} // namespace sunder
