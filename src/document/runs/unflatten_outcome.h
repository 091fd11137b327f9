#pragma once

#include "document/runs/outcome.h"
#include "passes/unflatten/unflatten.h"

#include <memory>

namespace sunder {

/// The model with its module hierarchy restored.
struct UnflattenOutcome final : Outcome {
    static constexpr ResultKind kKind{"hierarchy"};
    UnflattenOutcome() : Outcome(kKind) {}

    UnflattenResult result;
};

using UnflattenOutcomePtr = std::shared_ptr<const UnflattenOutcome>;

} // namespace sunder
