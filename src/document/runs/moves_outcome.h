#pragma once

#include "document/runs/outcome.h"
#include "passes/move_non_tensor/move_non_tensor.h"

#include <memory>

namespace sunder {

/// Ops that were moved to another part because they compute no tensor, and those that stay at a boundary.
struct MovesOutcome final : Outcome {
    static constexpr ResultKind kKind{"moves"};
    MovesOutcome() : Outcome(kKind) {}

    TagAssignment before;
    MoveByTagsResult result;
};

using MovesOutcomePtr = std::shared_ptr<const MovesOutcome>;

} // namespace sunder
