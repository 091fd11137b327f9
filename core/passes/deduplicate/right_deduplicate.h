#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/deduplicate/shared_graph_builder.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <map>
#include <string>

namespace sunder {

/// Deviations from torch's deduplication that make the result easier to verify.
struct CautionOptions {
    CallOrder order = CallOrder::asTorch;
    std::map<std::size_t, std::string> left = {}; ///< group number → why the group stays in place
};

/// Replaces regions by calls of shared subgraphs where the result stays equivalent; see deduplicate().
Result<DedupResult> deduplicateRight(const Program& source, const RegionResult& regions, const CautionOptions& caution,
                                     ProgressMonitor& monitor);

} // namespace sunder
