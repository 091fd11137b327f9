#include "passes/deduplicate/provable_dedup.h"

#include "passes/deduplicate/upstream_deduplicate.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr int kMaxAttempts = 10;

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

} // namespace sunder
