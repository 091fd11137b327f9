#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/deduplicate/shared_graph_builder.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <map>
#include <string>

namespace sunder {

/// How a deduplication may differ from torch's, so that it can be proven.
struct CautionOptions {
    CallOrder order = CallOrder::asTorch;
    std::map<std::size_t, std::string> left = {}; ///< groups to leave in place, by number, and why
};

/// Replaces correct regions by calls of shared subgraphs where that computes the same; see deduplicate().
Result<DedupResult> deduplicateRight(const Program& source, const RegionResult& regions, const CautionOptions& caution,
                                     ProgressMonitor& monitor);

} // namespace sunder
