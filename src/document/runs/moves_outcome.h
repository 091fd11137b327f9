#pragma once

#include "document/runs/outcome.h"
#include "passes/move_non_tensor/move_by_tags.h"

#include <memory>

namespace sunder {

/// Ops that left the part of their tag because what they compute is no tensor, and those that stay on a border.
struct MovesOutcome final : Outcome {
    static constexpr ResultKind kKind{"moves"};
    MovesOutcome() : Outcome(kKind) {}

    TagAssignment before;
    MoveByTagsResult result;
};

using MovesOutcomePtr = std::shared_ptr<const MovesOutcome>;

} // namespace sunder
