#include "passes/deduplicate/right_deduplicate.h"

#include "passes/deduplicate/region_checks.h"

#include <algorithm>

// torch's deduplication, made right. torch replaces region after region in the graph and sorts at last; writes, global
// state and shared memory then stand in another order than before, or are lost. Here everything is decided on the
// source first: which regions can become a call at all (GroupPlan), and which of those, taken together, leave an order
// in which everything that matters runs as before (RegionChecks, RunOrder). Then the result is written in one go
// (SharedGraphBuilder), with torch's names and torch's sort, so that it is torch's own result wherever that is right.
// What cannot be shared stays, with a reason. About linear; only the search for loops depends on how regions lie.

namespace sunder {
namespace {

class RightDeduplicator {
public:
    RightDeduplicator(const Program& source, const RankedGraph& graph, const CautionOptions& caution)
        : m_source(source), m_graph(graph), m_caution(caution), m_memory(source, graph, MemoryClasses::Doubt::merge),
          m_views(source, graph, MemoryClasses::Doubt::ignore), m_order(runOrder(source, graph, m_memory)),
          m_checks(graph, m_memory, m_views, m_order), m_builder(source, graph)
    {
    }

    Result<DedupResult> run(const RegionResult& regions, ProgressMonitor& monitor)
    {
        for (const RejectedRegion& region : regions.rejected)
            m_builder.abandon(region.nodes, region.why);
        for (std::size_t i = 0; i < regions.groups.size(); ++i) {
            if (monitor.isCancelled())
                return fail(ErrorCode::cancelled, "cancelled while deduplicating");
            monitor.report(static_cast<double>(i) / static_cast<double>(regions.groups.size()), "deduplicating");
            shareGroup(regions.groups[i], i);
        }
        return m_builder.finish(m_order.constraints, m_caution.order);
    }

private:
    void shareGroup(const RegionGroup& group, std::size_t number)
    {
        const auto left = m_caution.left.find(number);
        std::string why = left != m_caution.left.end() ? left->second : std::string();
        const GroupPlan plan = why.empty() ? planGroup(m_source, m_graph, group, why) : GroupPlan();
        const std::vector<std::uint32_t> reference = ranksOf(m_graph, group.region(0));
        std::vector<RegionChecks::Verdict> verdicts;
        for (std::size_t i = 0; i < group.regionCount(); ++i)
            verdicts.push_back(plan.inner.empty() ? RegionChecks::Verdict{why, false}
                                                  : m_checks.check(plan, reference, ranksOf(m_graph, group.region(i))));
        const auto hasSubgraph = [](const RegionChecks::Verdict& v) { return v.why.empty() || v.asTorchLeaves; };
        if (!plan.inner.empty() && std::ranges::any_of(verdicts, hasSubgraph))
            m_builder.beginGroup(plan, reference, number);
        for (std::size_t i = 0; i < group.regionCount(); ++i)
            if (!plan.inner.empty() && verdicts[i].why.empty())
                m_builder.addCall(plan, reference, ranksOf(m_graph, group.region(i)), i);
            else
                m_builder.abandon(group.region(i), verdicts[i].why);
    }

    const Program& m_source;
    const RankedGraph& m_graph;
    const CautionOptions& m_caution;
    MemoryClasses m_memory;
    MemoryClasses m_views;
    RunOrder m_order;
    RegionChecks m_checks;
    SharedGraphBuilder m_builder;
};

} // namespace

Result<DedupResult> deduplicateRight(const Program& source, const RegionResult& regions, const CautionOptions& caution,
                                     ProgressMonitor& monitor)
{
    const Result<RankedGraph> graph = RankedGraph::of(source.rootGraph());
    if (!graph)
        return forward(graph);
    return RightDeduplicator(source, *graph, caution).run(regions, monitor);
}

} // namespace sunder
