#include "passes/deduplicate/right_deduplicate.h"

#include "passes/deduplicate/region_assertions.h"
#include "passes/deduplicate/region_checks.h"
#include "passes/deduplicate/shared_graph_builder.h"
#include "support/step_monitor.h"

#include <algorithm>

// A correct version of torch's deduplication. torch replaces regions one by one and finally sorts the graph, which can reorder or
// lose writes, changes of global state and accesses to shared memory. This version first decides everything on the source: which
// regions can become calls (GroupPlan), and which of them, taken together, leave an order that preserves all effects
// (RegionChecks, MemoryDependencies). SharedGraphBuilder then writes the result in one pass with torch's names and sort, so that it equals
// torch's result wherever that is correct. Regions that cannot be shared stay in place, with a reason. About linear; only the
// cycle check depends on how regions are arranged.

namespace sunder {
namespace {

/// Facts about the source that are computed before the first group.
struct LookUps {
    const MemoryClasses& memory;
    const MemoryClasses& views;
    MemoryDependencies& order;
};

class RightDeduplicator {
public:
    RightDeduplicator(const Program& source, const RankedGraph& graph, const LookUps& known, const CautionOptions& caution,
                      ProgressMonitor& monitor)
        : m_source(source), m_graph(graph), m_memory(known.memory), m_order(known.order), m_caution(caution), m_monitor(monitor),
          m_steps(monitor), m_checks(graph, known.memory, known.views, known.order), m_assertions(source, graph),
          m_builder(source, graph, monitor)
    {
    }

    Result<DedupResult> run(const RegionResult& regions)
    {
        for (const RejectedRegion& region : regions.rejected)
            m_builder.abandon(region.nodes, region.why);
        for (std::size_t i = 0; i < regions.groups.size() && !m_monitor.isCancelled(); ++i) {
            m_monitor.report(static_cast<double>(i) / static_cast<double>(regions.groups.size()), "deduplicating");
            shareGroup(regions.groups[i], i);
        }
        if (m_monitor.isCancelled())
            return cancelled();
        return m_builder.finish(m_order.constraints, m_caution.order);
    }

    static tl::unexpected<Error> cancelled() { return fail(ErrorCode::cancelled, "cancelled while deduplicating"); }

private:
    void shareGroup(const RegionGroup& group, std::size_t number)
    {
        if (const auto left = m_caution.left.find(number); left != m_caution.left.end()) {
            for (std::size_t i = 0; i < group.regionCount(); ++i)
                m_builder.abandon(group.region(i), left->second);
            return;
        }
        if (shareWithAssertions(group, number))
            return;
        std::string why;
        const GroupPlan plan = planGroup(m_source, m_graph, m_memory, group, why, m_monitor);
        const std::vector<std::string> reasons = judge(plan, group, why);
        if (m_monitor.isCancelled())
            return;
        build(plan, group, reasons, number);
        for (std::size_t i = 0; i < group.regionCount(); ++i)
            if (!reasons[i].empty())
                m_builder.abandon(group.region(i), reasons[i]);
    }

    /// Tries to share the group extended by assertions about its values. Returns true if all its regions were shared, or if the
    /// run was cancelled.
    bool shareWithAssertions(const RegionGroup& group, std::size_t number)
    {
        const std::optional<RegionGroup> widened = m_retries < kMaxRetries ? m_assertions.widen(group) : std::nullopt;
        if (!widened)
            return false;
        std::string why;
        const std::size_t before = m_checks.accepted();
        const GroupPlan plan = planGroup(m_source, m_graph, m_memory, *widened, why, m_monitor);
        const std::vector<std::string> reasons = judge(plan, *widened, why);
        if (m_monitor.isCancelled())
            return true;
        if (!std::ranges::all_of(reasons, &std::string::empty)) {
            ++m_retries;
            m_checks.returnTo(before);
            return false;
        }
        m_assertions.take(*widened);
        build(plan, *widened, reasons, number);
        return true;
    }

    /// Returns, per region, why it stays in place; empty if it can be shared.
    std::vector<std::string> judge(const GroupPlan& plan, const RegionGroup& group, const std::string& why)
    {
        std::vector<std::string> reasons(group.regionCount(), why);
        if (plan.inner.empty())
            return reasons;
        const std::vector<std::uint32_t> reference = ranksOf(m_graph, group.region(0));
        for (std::size_t i = 0; i < group.regionCount() && m_steps.shouldContinue(group.length); ++i)
            reasons[i] = m_checks.check(plan, reference, ranksOf(m_graph, group.region(i)));
        return reasons;
    }

    void build(const GroupPlan& plan, const RegionGroup& group, const std::vector<std::string>& reasons, std::size_t number)
    {
        if (std::ranges::none_of(reasons, &std::string::empty))
            return; // the subgraph would have no calls
        const std::vector<std::uint32_t> reference = ranksOf(m_graph, group.region(0));
        m_builder.beginGroup(plan, reference, number);
        for (std::size_t i = 0; i < group.regionCount() && m_steps.shouldContinue(group.length); ++i)
            if (reasons[i].empty())
                m_builder.addCall(plan, reference, ranksOf(m_graph, group.region(i)), i);
    }

    static constexpr int kMaxRetries = 16; ///< limit on groups that are judged twice; each costs time linear in the graph

    const Program& m_source;
    const RankedGraph& m_graph;
    const MemoryClasses& m_memory;
    MemoryDependencies& m_order;
    const CautionOptions& m_caution;
    ProgressMonitor& m_monitor;
    StepMonitor m_steps; ///< counts nodes of regions
    RegionChecks m_checks;
    RegionAssertions m_assertions;
    SharedGraphBuilder m_builder;
    int m_retries = 0;
};

} // namespace

Result<DedupResult> deduplicateRight(const Program& source, const RegionResult& regions, const CautionOptions& caution,
                                     ProgressMonitor& monitor)
{
    SUNDER_TRY(const RankedGraph graph, RankedGraph::of(source.rootGraph()));
    const MemoryClasses memory(source, graph, MemoryClasses::Doubt::merge, monitor);
    if (monitor.isCancelled())
        return RightDeduplicator::cancelled();
    const MemoryClasses views(source, graph, MemoryClasses::Doubt::ignore, monitor);
    if (monitor.isCancelled())
        return RightDeduplicator::cancelled();
    MemoryDependencies order = runOrder(source, graph, memory, monitor);
    if (monitor.isCancelled())
        return RightDeduplicator::cancelled();
    return RightDeduplicator(source, graph, {memory, views, order}, caution, monitor).run(regions);
}

} // namespace sunder
