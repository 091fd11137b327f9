#include "analysis/cut/measured_cut.h"

namespace sunder {

MeasuredCut::MeasuredCut(const Program& source, const TagAssignment& cut, MemoryRule rule, std::shared_ptr<const CutGraph> graph)
    : m_tags(cut), m_graph(graph ? std::move(graph) : std::make_shared<const CutGraph>(cutGraph(source, rule))),
      m_previewer(*m_graph, m_tags), m_nodes(m_tags.order.size()),
      m_boundaries(partBoundaries(*m_graph, m_tags, metrics(), kMaxListed)), m_drawn(drawnCut(*m_graph, m_tags, metrics()))
{
    for (std::uint32_t call = 0; call < m_graph->callCount; ++call)
        if (const std::int32_t part = m_previewer.partOf(m_graph->nodes[call]); part >= 0)
            m_nodes[static_cast<std::size_t>(part)].push_back(m_graph->nodes[call]);
}

} // namespace sunder
