#pragma once

#include "ir/program.h"
#include "passes/regions/region_classes.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <optional>

namespace sunder {

struct RegionOptions {
    std::optional<RegionKey> key; ///< by default `tracked` when nodes carry region keys, else `structural`
    bool asUpstream = false;      ///< what torch's tracker finds, whether or not it may be shared
};

/// The repeated regions of the program's root graph: those that torch's tracker would grow for the chosen classes, less
/// those that cannot share a subgraph, each with its reason. Refuses a graph that uses a node before it is computed;
/// fails with `cancelled`. About linear; see growRegions() and correctRegions().
Result<RegionResult> findRegions(const Program& program, const RegionOptions& options = {},
                                 ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
