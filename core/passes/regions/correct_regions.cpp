#include "passes/regions/correct_regions.h"

#include "analysis/run_order/ranked_graph.h"
#include "passes/regions/region_order.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sunder {
namespace {

/// Compares regions with a first one, node by node, to find out whether they are copies that differ only in their outer inputs.
/// Scratch arrays are reused, so a comparison is linear in the arguments of both regions.
class RegionCopy {
public:
    explicit RegionCopy(const RankedGraph& graph);

    /// Returns an empty string if the regions (of equal length, each node once) are copies: at each place the same `op` and
    /// `target`, the same constants by type and value, keywords in the same order, the same places for inner inputs, and outer
    /// inputs that repeat in the same pattern. Otherwise returns a sentence that names the first two nodes that differ.
    std::string difference(std::span<const std::uint32_t> first, std::span<const std::uint32_t> other);

private:
    /// Labels of nodes relative to a region: the place in the region, or the number of outer inputs used before.
    struct Side {
        std::vector<std::uint32_t> stamp; ///< per rank: number of the comparison that assigned `label`
        std::vector<std::uint32_t> label;
        std::uint32_t outer = 0;
    };
    static constexpr std::uint32_t kOuter = 0x80000000U;

    void begin(Side& side, std::span<const std::uint32_t> region);
    std::uint32_t labelOf(Side& side, NodeId id);
    bool same(const Argument& a, const Argument& b, const char*& what);
    bool sameNode(const Node& a, const Node& b, const char*& what);

    const RankedGraph& m_graph;
    Side m_first;
    Side m_other;
    std::uint32_t m_stamp = 0;
};

RegionCopy::RegionCopy(const RankedGraph& graph) : m_graph(graph)
{
    for (Side* side : {&m_first, &m_other}) {
        side->stamp.assign(graph.size(), 0);
        side->label.assign(graph.size(), 0);
    }
}

void RegionCopy::begin(Side& side, std::span<const std::uint32_t> region)
{
    side.outer = 0;
    for (std::uint32_t i = 0; i < region.size(); ++i) {
        side.stamp[region[i]] = m_stamp;
        side.label[region[i]] = i;
    }
}

std::uint32_t RegionCopy::labelOf(Side& side, NodeId id)
{
    const std::uint32_t rank = m_graph.rank(id);
    if (side.stamp[rank] != m_stamp) {
        side.stamp[rank] = m_stamp;
        side.label[rank] = kOuter | side.outer++;
    }
    return side.label[rank];
}

bool RegionCopy::same(const Argument& a, const Argument& b, const char*& what)
{
    what = "have different constants";
    if (!a.holdsNodes() && !b.holdsNodes())
        return a == b;
    if (a.kind() != b.kind() || a.items().size() != b.items().size())
        return false;
    if (a.is(ArgumentKind::node)) {
        what = "are connected differently";
        return labelOf(m_first, a.asNode()) == labelOf(m_other, b.asNode());
    }
    if (a.className() != b.className() || !std::ranges::equal(a.fields(), b.fields()) || !std::ranges::equal(a.keys(), b.keys()))
        return false;
    for (std::size_t i = 0; i < a.items().size(); ++i)
        if (!same(a.items()[i], b.items()[i], what))
            return false;
    return true;
}

bool RegionCopy::sameNode(const Node& a, const Node& b, const char*& what)
{
    what = "have different targets";
    if (a.op != b.op || a.target != b.target)
        return false;
    what = "have different numbers of arguments";
    if (a.args.size() != b.args.size() || a.kwargs.size() != b.kwargs.size())
        return false;
    for (std::size_t i = 0; i < a.args.size(); ++i)
        if (!same(a.args[i], b.args[i], what))
            return false;
    for (std::size_t i = 0; i < a.kwargs.size(); ++i) {
        what = "have different keywords";
        if (a.kwargs[i].key != b.kwargs[i].key || !same(a.kwargs[i].value, b.kwargs[i].value, what))
            return false;
    }
    return true;
}

std::string RegionCopy::difference(std::span<const std::uint32_t> first, std::span<const std::uint32_t> other)
{
    ++m_stamp;
    begin(m_first, first);
    begin(m_other, other);
    const char* what = "";
    for (std::size_t i = 0; i < first.size(); ++i)
        if (!sameNode(m_graph.node(first[i]), m_graph.node(other[i]), what))
            return m_graph.nameOf(other[i]) + " and " + m_graph.nameOf(first[i]) + " of the first region " + what;
    return {};
}

constexpr std::uint32_t kNoRegion = 0xffffffffU;

class Judge {
public:
    Judge(const RankedGraph& graph, MemoryDependencies& dependencies)
        : m_graph(graph), m_dependencies(dependencies), m_copy(graph), m_order(graph, dependencies),
          m_keptIn(graph.size(), kNoRegion), m_seenIn(graph.size(), 0)
    {
    }

    /// Judges the regions of a group.
    Result<void> judge(const RegionGroup& group, StepMonitor& steps)
    {
        RegionGroup kept{.length = group.length, .nodes = {}};
        std::vector<std::uint32_t> reference;
        for (std::size_t i = 0; i < group.regionCount(); ++i) {
            SUNDER_PROPAGATE(steps.step(group.length));
            std::vector<std::uint32_t> region;
            for (const NodeId id : group.region(i))
                region.push_back(m_graph.rank(id));
            if (std::string why = whyNot(region, reference); !why.empty()) {
                reject(group.region(i), std::move(why));
                continue;
            }
            for (const std::uint32_t rank : region)
                m_keptIn[rank] = region.back();
            kept.nodes.insert(kept.nodes.end(), group.region(i).begin(), group.region(i).end());
            if (reference.empty())
                reference = std::move(region);
        }
        if (kept.regionCount() > 1)
            m_result.groups.push_back(std::move(kept));
        else if (!reference.empty())
            release(reference, kept);
        return {};
    }

    RegionResult take() { return std::move(m_result); }

private:
    void reject(std::span<const NodeId> region, std::string why)
    {
        m_result.rejected.push_back({{region.begin(), region.end()}, std::move(why)});
    }

    void release(const std::vector<std::uint32_t>& region, const RegionGroup& kept)
    {
        for (const std::uint32_t rank : region)
            m_keptIn[rank] = kNoRegion;
        m_order.undo();
        reject(kept.region(0), "no other copy is left of the region that ends in " + m_graph.nameOf(region.back()));
    }

    /// Returns why the region is rejected. Returns an empty string if it can be kept; it is then a step of m_order.
    std::string whyNot(const std::vector<std::uint32_t>& region, const std::vector<std::uint32_t>& reference)
    {
        ++m_seen;
        for (const std::uint32_t rank : region)
            if (std::exchange(m_seenIn[rank], m_seen) == m_seen)
                return m_graph.nameOf(rank) + " is in the region twice";
        for (const std::uint32_t rank : region)
            if (m_keptIn[rank] != kNoRegion)
                return m_graph.nameOf(rank) + " is already in the region that ends in " + m_graph.nameOf(m_keptIn[rank]);
        if (!reference.empty())
            if (std::string why = m_copy.difference(reference, region); !why.empty())
                return why;
        if (const auto turned = m_dependencies.findInversion(region))
            return m_graph.nameOf(turned->first) + " must run before " + m_graph.nameOf(turned->second)
                + ", but their counterparts in the first region run in the opposite order";
        if (const auto loop = m_order.contract(region))
            return m_graph.nameOf(loop->inside) + " depends on " + m_graph.nameOf(loop->outside)
                + ", which is outside the region and depends on another node of it, so the region cannot run as a unit";
        return {};
    }

    const RankedGraph& m_graph;
    MemoryDependencies& m_dependencies;
    RegionCopy m_copy;
    ContractedOrder m_order;
    std::vector<std::uint32_t> m_keptIn; ///< per rank: last node of the kept region that contains it
    std::vector<std::uint32_t> m_seenIn; ///< per rank: number of the last examined region that contains it
    std::uint32_t m_seen = 0;
    RegionResult m_result;
};

} // namespace

Result<RegionResult> correctRegions(const RankedGraph& graph, MemoryDependencies& dependencies, std::vector<RegionGroup> groups,
                                    ProgressMonitor& monitor)
{
    Judge judge(graph, dependencies);
    StepMonitor steps(monitor);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        SUNDER_PROPAGATE(monitor.check());
        monitor.report(static_cast<double>(i) / static_cast<double>(groups.size()), "checking regions");
        SUNDER_PROPAGATE(judge.judge(groups[i], steps));
        groups[i] = {};
    }
    return judge.take();
}

} // namespace sunder
