#include "passes/regions/find_regions.h"

#include "passes/regions/correct_regions.h"
#include "passes/regions/grow_regions.h"

// torch's region tracking (`docs/passes.md`) in two steps. Growth works exactly as in torch and considers one node at a time.
// Unless torch's own result is requested, checks then drop regions that cannot share a subgraph. Checks never find better
// regions.

namespace sunder {

Result<RegionResult> findRegions(const Program& program, const RegionOptions& options, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    SUNDER_TRY(const RankedGraph ranked, RankedGraph::of(graph));
    const auto cancelled = [] { return fail(ErrorCode::cancelled, "cancelled while looking for repeated regions"); };
    if (monitor.isCancelled())
        return cancelled();
    const RegionKey key = options.key.value_or(regionKeyFor(graph));
    const RegionClasses classes = key == RegionKey::tracked ? trackedClasses(ranked) : structuralClasses(ranked, monitor);
    if (monitor.isCancelled())
        return cancelled();
    RegionResult result{.groups = growRegions(ranked, classes, monitor), .rejected = {}};
    if (!options.asUpstream && !monitor.isCancelled()) {
        OrderConstraints constraints = recordedOrder(ranked);
        if (monitor.isCancelled())
            return cancelled();
        result = correctRegions(ranked, constraints, std::move(result.groups), monitor);
    }
    if (monitor.isCancelled())
        return cancelled();
    return result;
}

} // namespace sunder
