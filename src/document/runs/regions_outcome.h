#pragma once

#include "document/runs/outcome.h"
#include "passes/deduplicate/sharing_summary.h"
#include "passes/regions/find_regions.h"

#include <memory>
#include <optional>

namespace sunder {

/// The repeated regions of the model and, after deduplication, the program that calls them.
struct RegionsOutcome final : Outcome {
    static constexpr ResultKind kKind{"regions"};
    RegionsOutcome() : Outcome(kKind) {}

    RegionResult regions;
    std::optional<DedupResult> dedup = {};
    SharingSummary sharing = {};
};

/// Null if the regions were only found.
inline const DedupResult* dedupOf(const RegionsOutcome& outcome)
{
    return outcome.dedup ? &*outcome.dedup : nullptr;
}

using RegionsOutcomePtr = std::shared_ptr<const RegionsOutcome>;

} // namespace sunder
