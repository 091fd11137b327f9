#include "passes/deduplicate/deduplicate.h"

#include "analysis/run_order/ranked_graph.h"
#include "ir/program.h"
#include "operators/operator_catalogue.h"
#include "passes/deduplicate/region_checks.h"
#include "passes/deduplicate/replacement.h"
#include "passes/deduplicate/shared_graph_builder.h"
#include "passes/deduplicate/upstream_deduplicate.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

// A correct version of PyTorch's deduplication. PyTorch replaces regions one by one and finally sorts the graph, which can reorder or
// lose writes, changes of global state and accesses to shared memory. This version first decides everything on the source: which
// regions can become calls (GroupPlan), and which of them, taken together, leave an order that preserves all effects
// (RegionChecks, MemoryDependencies). SharedGraphBuilder then writes the result in one pass with PyTorch's names and sort, so that
// it equals PyTorch's result wherever that is correct. Regions that cannot be shared stay in place, with a reason. About linear;
// only the cycle check depends on how regions are arranged.

namespace sunder {
namespace {

/// Assertions about inputs and values of regions. Regions grow backward from results, so they exclude nodes without users.
/// Outside a region, an export's `_assert_tensor_metadata` would make every value that it checks, including views, a result of
/// the region.
class RegionAssertions {
public:
    RegionAssertions(const Program& program, const RankedGraph& graph);

    /// Returns the group extended by the assertions that all its regions have at the same place; each region stays in graph order
    /// of the first one. Nothing if there are none. O(arguments and users of the group).
    [[nodiscard]] std::optional<RegionGroup> widen(const RegionGroup& group);
    /// Assigns the assertions of a widened group to it, so that other groups cannot use them.
    void take(const RegionGroup& widened);

private:
    class Search;

    const RankedGraph& m_graph;
    std::vector<char> m_isFree; ///< per rank: is an assertion that belongs to no group
};

/// Compares values, ignoring the nodes in them.
bool sameConstants(const Argument& a, const Argument& b)
{
    if (!a.holdsNodes() && !b.holdsNodes())
        return a == b;
    return a.kind() == b.kind() && a.items().size() == b.items().size()
        && std::ranges::equal(a.items(), b.items(), sameConstants);
}

bool sameCall(const Node& a, const Node& b)
{
    const auto sameKeyword = [](const Keyword& x, const Keyword& y) { return x.key == y.key && sameConstants(x.value, y.value); };
    return a.op == b.op && a.target == b.target && std::ranges::equal(a.args, b.args, sameConstants)
        && std::ranges::equal(a.kwargs, b.kwargs, sameKeyword);
}

/// The assertions that a region could include, grouped by their inputs. Labels number places of the region first, then outer
/// values in the order in which the region uses them.
class RegionAssertions::Search {
public:
    Search(const RankedGraph& graph, const std::vector<char>& isFree, std::span<const NodeId> region) : m_graph(graph)
    {
        std::vector<std::uint32_t> known;
        for (const NodeId id : region)
            known.push_back(graph.rank(id));
        m_inside = static_cast<std::uint32_t>(known.size());
        for (std::uint32_t place = 0; place < m_inside; ++place)
            m_labels.emplace(known[place], place);
        for (std::uint32_t place = 0; place < m_inside; ++place)
            for (const std::uint32_t input : graph.inputs(known[place]))
                if (m_labels.emplace(input, static_cast<std::uint32_t>(known.size())).second)
                    known.push_back(input);
        for (const std::uint32_t rank : known)
            for (const std::uint32_t user : graph.users(rank))
                if (isFree[user] != 0)
                    add(user);
    }

    using Labels = std::vector<std::uint32_t>;
    [[nodiscard]] const std::map<Labels, std::vector<std::uint32_t>>& found() const { return m_found; }
    /// Returns whether an assertion with these labels checks a value computed in the region.
    [[nodiscard]] bool isInside(const Labels& labels) const
    {
        return std::ranges::any_of(labels, [this](std::uint32_t label) { return label < m_inside; });
    }
    /// Returns the first assertion with these labels that equals `node` and is not in `taken`; nothing if there is none.
    std::optional<std::uint32_t> match(const Labels& labels, const Node& node,
                                       const std::unordered_set<std::uint32_t>& taken) const
    {
        const auto at = m_found.find(labels);
        if (at != m_found.end())
            for (const std::uint32_t rank : at->second)
                if (!taken.contains(rank) && sameCall(m_graph.node(rank), node))
                    return rank;
        return std::nullopt;
    }

private:
    void add(std::uint32_t rank)
    {
        Labels labels;
        for (const std::uint32_t input : m_graph.inputs(rank)) {
            const auto label = m_labels.find(input);
            if (label == m_labels.end())
                return;
            labels.push_back(label->second);
        }
        if (m_seen.insert(rank).second)
            m_found[std::move(labels)].push_back(rank);
    }

    const RankedGraph& m_graph;
    std::uint32_t m_inside = 0;
    std::unordered_map<std::uint32_t, std::uint32_t> m_labels;
    std::unordered_set<std::uint32_t> m_seen;
    std::map<Labels, std::vector<std::uint32_t>> m_found;
};

RegionAssertions::RegionAssertions(const Program& program, const RankedGraph& graph) : m_graph(graph), m_isFree(graph.size(), 0)
{
    OperatorCatalog catalogue(program);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank) {
        const Node& node = graph.node(rank);
        const bool calls = node.op == Op::callFunction || node.op == Op::callMethod;
        m_isFree[rank] = calls && graph.users(rank).empty() && !node.meta.mutated
                && catalogue.of(node).role == CallRole::assertion
            ? 1
            : 0;
    }
}

std::optional<RegionGroup> RegionAssertions::widen(const RegionGroup& group)
{
    const std::size_t count = group.regionCount();
    std::vector<Search> searches;
    for (std::size_t i = 0; i < count && (i == 0 || !searches.front().found().empty()); ++i)
        searches.emplace_back(m_graph, m_isFree, group.region(i));
    if (searches.front().found().empty())
        return std::nullopt;
    std::vector<std::vector<std::uint32_t>> regions(count);
    for (std::size_t i = 0; i < count; ++i)
        for (const NodeId id : group.region(i))
            regions[i].push_back(m_graph.rank(id));
    std::unordered_set<std::uint32_t> taken;
    // An outer value of one region may be computed in another, which then includes the assertion about it.
    for (const bool inside : {true, false})
        for (const auto& [labels, candidates] : searches.front().found()) {
            if (searches.front().isInside(labels) != inside)
                continue;
            for (const std::uint32_t first : candidates) {
                std::vector<std::uint32_t> matches;
                for (const Search& search : searches)
                    if (const auto match = search.match(labels, m_graph.node(first), taken)) {
                        taken.insert(*match);
                        matches.push_back(*match);
                    }
                for (std::size_t i = 0; i < count && matches.size() == count; ++i)
                    regions[i].push_back(matches[i]);
                if (matches.size() != count)
                    for (const std::uint32_t rank : matches)
                        taken.erase(rank);
            }
        }
    if (taken.empty())
        return std::nullopt;
    std::vector<std::uint32_t> order(regions.front().size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t place) { return regions.front()[place]; });
    RegionGroup widened{.length = static_cast<std::uint32_t>(order.size()), .nodes = {}};
    for (const std::vector<std::uint32_t>& region : regions)
        for (const std::uint32_t place : order)
            widened.nodes.push_back(m_graph.id(region[place]));
    return widened;
}

void RegionAssertions::take(const RegionGroup& widened)
{
    for (const NodeId id : widened.nodes)
        m_isFree[m_graph.rank(id)] = 0;
}

constexpr int kMaxAttempts = 10;

/// Facts about the source that are computed before the first group.
struct LookUps {
    const MemoryClasses& memory;
    const MemoryClasses& views;
    const MemoryAccesses& accesses;
    MemoryDependencies& dependencies;
};

class RightDeduplicator {
public:
    RightDeduplicator(const Program& source, const RankedGraph& graph, const LookUps& known, Namespace names,
                      const CautionOptions& caution, ProgressMonitor& monitor)
        : m_source(source), m_graph(graph), m_memory(known.memory), m_dependencies(known.dependencies), m_caution(caution),
          m_monitor(monitor), m_steps(monitor), m_checks(graph, known.accesses, known.views, known.dependencies),
          m_assertions(source, graph), m_builder(source, graph, std::move(names), monitor)
    {
    }

    Result<DedupResult> run(const RegionResult& regions)
    {
        for (const RejectedRegion& region : regions.rejected)
            m_builder.abandon(region.nodes, region.why);
        for (std::size_t i = 0; i < regions.groups.size(); ++i) {
            SUNDER_PROPAGATE(m_monitor.check());
            m_monitor.report(static_cast<double>(i) / static_cast<double>(regions.groups.size()), "deduplicating");
            SUNDER_PROPAGATE(shareGroup(regions.groups[i], i));
        }
        SUNDER_PROPAGATE(m_monitor.check());
        return m_builder.finish(m_dependencies, m_caution.order);
    }

private:
    Result<void> shareGroup(const RegionGroup& group, std::size_t number)
    {
        if (const auto left = m_caution.left.find(number); left != m_caution.left.end()) {
            for (std::size_t i = 0; i < group.regionCount(); ++i)
                m_builder.abandon(group.region(i), left->second);
            return {};
        }
        SUNDER_TRY(const bool isShared, shareWithAssertions(group, number));
        if (isShared)
            return {};
        std::string why;
        SUNDER_TRY(const GroupPlan plan, planGroup(m_source, m_graph, m_memory, group, why, m_monitor));
        SUNDER_TRY(const std::vector<std::string> reasons, judge(plan, group, why));
        SUNDER_PROPAGATE(build(plan, group, reasons, number));
        for (std::size_t i = 0; i < group.regionCount(); ++i)
            if (!reasons[i].empty())
                m_builder.abandon(group.region(i), reasons[i]);
        return {};
    }

    /// Tries to share the group extended by assertions about its values. Returns true if all its regions were shared.
    Result<bool> shareWithAssertions(const RegionGroup& group, std::size_t number)
    {
        const std::optional<RegionGroup> widened = m_retries < kMaxRetries ? m_assertions.widen(group) : std::nullopt;
        if (!widened)
            return false;
        std::string why;
        const std::size_t before = m_checks.accepted();
        SUNDER_TRY(const GroupPlan plan, planGroup(m_source, m_graph, m_memory, *widened, why, m_monitor));
        SUNDER_TRY(const std::vector<std::string> reasons, judge(plan, *widened, why));
        if (!std::ranges::all_of(reasons, &std::string::empty)) {
            ++m_retries;
            m_checks.returnTo(before);
            return false;
        }
        m_assertions.take(*widened);
        SUNDER_PROPAGATE(build(plan, *widened, reasons, number));
        return true;
    }

    /// Returns, per region, why it stays in place; empty if it can be shared.
    Result<std::vector<std::string>> judge(const GroupPlan& plan, const RegionGroup& group, const std::string& why)
    {
        std::vector<std::string> reasons(group.regionCount(), why);
        if (plan.inner.empty())
            return reasons;
        const std::vector<std::uint32_t> reference = ranksOf(m_graph, group.region(0));
        for (std::size_t i = 0; i < group.regionCount(); ++i) {
            SUNDER_PROPAGATE(m_steps.step(group.length));
            reasons[i] = m_checks.check(plan, reference, ranksOf(m_graph, group.region(i)));
        }
        return reasons;
    }

    Result<void> build(const GroupPlan& plan, const RegionGroup& group, const std::vector<std::string>& reasons,
                       std::size_t number)
    {
        if (std::ranges::none_of(reasons, &std::string::empty))
            return {}; // the subgraph would have no calls
        const std::vector<std::uint32_t> reference = ranksOf(m_graph, group.region(0));
        m_builder.beginGroup(plan, reference, number);
        for (std::size_t i = 0; i < group.regionCount(); ++i) {
            SUNDER_PROPAGATE(m_steps.step(group.length));
            if (reasons[i].empty())
                m_builder.addCall(plan, reference, ranksOf(m_graph, group.region(i)), i);
        }
        return {};
    }

    static constexpr int kMaxRetries = 16; ///< limit on groups that are judged twice; each costs time linear in the graph

    const Program& m_source;
    const RankedGraph& m_graph;
    const MemoryClasses& m_memory;
    const MemoryDependencies& m_dependencies;
    const CautionOptions& m_caution;
    ProgressMonitor& m_monitor;
    StepMonitor m_steps; ///< counts nodes of regions
    RegionChecks m_checks;
    RegionAssertions m_assertions;
    SharedGraphBuilder m_builder;
    int m_retries = 0;
};

} // namespace

Result<DedupResult> ProvableDedup::attempt(ProgressMonitor& monitor)
{
    ++m_attempts;
    if (!m_regions) {
        SUNDER_TRY(RegionResult regions, findRegions(m_source, m_options, monitor));
        m_regions = std::move(regions);
    }
    return m_options.asUpstream ? deduplicateAsUpstream(m_source, *m_regions, monitor)
                                : deduplicateRight(m_source, *m_regions, m_caution, monitor);
}

/// Returns the group whose subgraph or regions contain the first difference.
std::optional<std::size_t> ProvableDedup::groupAt(const DedupResult& result, const VerifyReport& report) const
{
    for (const SharedSubgraph& subgraph : result.subgraphs)
        if (report.nodeB.graph == subgraph.graph && report.nodeB.node)
            return subgraph.group;
    if (!report.nodeA.node || report.nodeA.graph != m_source.root)
        return std::nullopt;
    for (const SharedSubgraph& subgraph : result.subgraphs)
        if (const RegionGroup& group = m_regions->groups[subgraph.group];
            std::ranges::find(group.nodes, report.nodeA.node) != group.nodes.end())
            return subgraph.group;
    return std::nullopt;
}

bool ProvableDedup::refine(const DedupResult& result, const VerifyReport& report)
{
    if (m_options.asUpstream || report.verdict == Verdict::same || result.subgraphs.empty())
        return false;
    if (m_caution.order == CallOrder::asTorch) {
        m_caution.order = CallOrder::asSource;
        return true;
    }
    const std::string why = "sharing it is not proven to be equivalent: " + report.why;
    const std::optional<std::size_t> group = m_attempts < kMaxAttempts ? groupAt(result, report) : std::nullopt;
    for (const SharedSubgraph& subgraph : result.subgraphs)
        if (!group || subgraph.group == *group)
            m_caution.left.emplace(subgraph.group, why);
    return true;
}

Result<DedupResult> deduplicateRight(const Program& source, const RegionResult& regions, const CautionOptions& caution,
                                     ProgressMonitor& monitor)
{
    SUNDER_TRY(const RankedGraph graph, RankedGraph::of(source.rootGraph()));
    SUNDER_TRY(const MemoryClasses memory, MemoryClasses::build(source, graph, MemoryClasses::Doubt::merge, monitor));
    SUNDER_TRY(const MemoryClasses views, MemoryClasses::build(source, graph, MemoryClasses::Doubt::ignore, monitor));
    SUNDER_TRY(const MemoryAccesses accesses, MemoryAccesses::build(source, graph, memory, monitor));
    MemoryDependencies dependencies(accesses.lists());
    SUNDER_TRY(Namespace names, givenNames(source.rootGraph(), monitor));
    return RightDeduplicator(source, graph, {memory, views, accesses, dependencies}, std::move(names), caution, monitor)
        .run(regions);
}

Result<DedupResult> deduplicate(const Program& source, const RegionOptions& options, ProgressMonitor& monitor)
{
    return ProvableDedup(source, options).attempt(monitor);
}

} // namespace sunder
