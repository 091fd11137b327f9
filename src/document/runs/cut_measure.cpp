#include "document/runs/cut_measure.h"

namespace sunder {

CutMeasure::CutMeasure(SnapshotPtr source, SplitOutcomePtr cut, std::shared_ptr<const CutGraph> graph)
    : m_source(std::move(source)), m_cut(std::move(cut)),
      m_graph(graph ? std::move(graph) : std::make_shared<const CutGraph>(cutGraph(m_source->program))),
      m_previewer(*m_graph, m_cut->tags), m_nodes(m_cut->tags.order.size()), m_interfaces(partInterfaces(*m_graph, m_cut->tags)),
      m_boundaries(partBoundaries(*m_graph, m_cut->tags, kMostListed))
{
    for (std::uint32_t call = 0; call < m_graph->callCount; ++call)
        if (const std::int32_t part = m_previewer.partOf(m_graph->nodes[call]); part >= 0)
            m_nodes[static_cast<std::size_t>(part)].push_back(m_graph->nodes[call]);
}

} // namespace sunder
