#include "passes/regions/correct_regions.h"

#include "passes/regions/contracted_order.h"
#include "passes/regions/region_copy.h"
#include "support/step_monitor.h"

#include <utility>

namespace sunder {
namespace {

constexpr std::uint32_t kNoRegion = 0xffffffffU;

class Judge {
public:
    Judge(const RankedGraph& graph, OrderConstraints& constraints)
        : m_graph(graph), m_constraints(constraints), m_copy(graph), m_order(graph, constraints),
          m_keptIn(graph.size(), kNoRegion), m_seenIn(graph.size(), 0)
    {
    }

    /// Judges the regions of a group; stops when cancelled.
    void judge(const RegionGroup& group, StepMonitor& steps)
    {
        RegionGroup kept{.length = group.length, .nodes = {}};
        std::vector<std::uint32_t> reference;
        for (std::size_t i = 0; i < group.regionCount(); ++i) {
            if (!steps.shouldContinue(group.length))
                return;
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
        if (const auto turned = m_constraints.findInversion(region))
            return m_graph.nameOf(turned->first) + " must run before " + m_graph.nameOf(turned->second)
                + ", but their counterparts in the first region run in the opposite order";
        if (const auto loop = m_order.contract(region))
            return m_graph.nameOf(loop->inside) + " depends on " + m_graph.nameOf(loop->outside)
                + ", which is outside the region and depends on another node of it, so the region cannot run as a unit";
        return {};
    }

    const RankedGraph& m_graph;
    OrderConstraints& m_constraints;
    RegionCopy m_copy;
    ContractedOrder m_order;
    std::vector<std::uint32_t> m_keptIn; ///< per rank: last node of the kept region that contains it
    std::vector<std::uint32_t> m_seenIn; ///< per rank: number of the last examined region that contains it
    std::uint32_t m_seen = 0;
    RegionResult m_result;
};

} // namespace

RegionResult correctRegions(const RankedGraph& graph, OrderConstraints& constraints, std::vector<RegionGroup> groups,
                            ProgressMonitor& monitor)
{
    Judge judge(graph, constraints);
    StepMonitor steps(monitor);
    for (std::size_t i = 0; i < groups.size() && !monitor.isCancelled(); ++i) {
        monitor.report(static_cast<double>(i) / static_cast<double>(groups.size()), "checking regions");
        judge.judge(groups[i], steps);
        groups[i] = {};
    }
    return judge.take();
}

} // namespace sunder
