#include "passes/deduplicate/deduplicate.h"

#include "passes/deduplicate/region_checks.h"
#include "passes/deduplicate/shared_graph_builder.h"
#include "passes/deduplicate/upstream_deduplicate.h"

#include <algorithm>

// torch's deduplication, made right. torch replaces region after region in the graph and sorts at last; writes, global
// state and shared memory then stand in another order than before, or are lost. Here everything is decided on the
// source first: which regions can become a call at all (GroupPlan), and which of those, taken together, leave an order
// in which everything that matters runs as before (RegionChecks, RunOrder). Then the result is written in one go
// (SharedGraphBuilder), with torch's names and torch's sort, so that it is torch's own result wherever that is right.
// What cannot be shared stays, with a reason. About linear; only the search for loops depends on how regions lie.

namespace sunder {
namespace {

Result<DedupResult> deduplicateRight(const Program& source, const RegionResult& regions, ProgressMonitor& monitor)
{
    const Result<RankedGraph> graph = RankedGraph::of(source.rootGraph());
    if (!graph)
        return forward(graph);
    const MemoryClasses memory(source, *graph, MemoryClasses::Doubt::merge);
    const MemoryClasses views(source, *graph, MemoryClasses::Doubt::ignore);
    RunOrder order = runOrder(source, *graph, memory);
    RegionChecks checks(*graph, memory, views, order);
    SharedGraphBuilder builder(source, *graph);
    for (const RejectedRegion& region : regions.rejected)
        builder.abandon(region.nodes, region.why);
    for (std::size_t i = 0; i < regions.groups.size(); ++i) {
        if (monitor.isCancelled())
            return fail(ErrorCode::cancelled, "cancelled while deduplicating");
        monitor.report(static_cast<double>(i) / static_cast<double>(regions.groups.size()), "deduplicating");
        const RegionGroup& group = regions.groups[i];
        std::string why;
        const GroupPlan plan = planGroup(source, *graph, group, why);
        const std::vector<std::uint32_t> reference = ranksOf(*graph, group.region(0));
        std::vector<RegionChecks::Verdict> verdicts;
        for (std::size_t k = 0; k < group.regionCount(); ++k)
            verdicts.push_back(plan.inner.empty() ? RegionChecks::Verdict{why, false}
                                                  : checks.check(plan, reference, ranksOf(*graph, group.region(k))));
        const auto hasSubgraph = [](const RegionChecks::Verdict& verdict) { return verdict.why.empty() || verdict.asTorchLeaves; };
        if (std::ranges::any_of(verdicts, hasSubgraph))
            builder.beginGroup(plan, reference);
        for (std::size_t k = 0; k < group.regionCount(); ++k)
            if (verdicts[k].why.empty())
                builder.addCall(plan, reference, ranksOf(*graph, group.region(k)));
            else
                builder.abandon(group.region(k), verdicts[k].why);
    }
    return builder.finish(order.constraints);
}

} // namespace

Result<DedupResult> deduplicate(const Program& source, const RegionOptions& options, ProgressMonitor& monitor)
{
    const Result<RegionResult> regions = findRegions(source, options, monitor);
    if (!regions)
        return forward(regions);
    return options.asUpstream ? deduplicateAsUpstream(source, *regions, monitor)
                              : deduplicateRight(source, *regions, monitor);
}

} // namespace sunder
