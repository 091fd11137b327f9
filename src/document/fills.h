#pragma once

#include "analysis/fill/fill.h"
#include "analysis/fill/fill_effect.h"
#include "document/document.h"

namespace sunder {

/// What a fill would change in the document: looked for at once or by a job, shown before it is done.
struct FillPlan {
    Fill fill;
    FillEffect effect;           ///< of giving `changes` the tag
    std::vector<NodeId> changes; ///< those of the fill's nodes that would take the tag
    std::int32_t tag = TagAssignment::kUntagged;
    QString kept = {}; ///< how many would take it but are locked or protected, and why: "2 ops kept: stage0 is locked"
};

/// The plan of a request with a state of tags; refused as fillOf() refuses. O(nodes + uses).
Result<FillPlan> planFill(const Snapshot& snapshot, const TagState& state, const FillRequest& request);

/// Does it as one undo step, "Fill all Linear modules with stage1: 96 ops". What is planned for must be the state now. Returns how many
/// nodes changed.
int doFill(Document& document, const FillPlan& plan);

} // namespace sunder
