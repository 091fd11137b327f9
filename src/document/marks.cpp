#include "document/marks.h"

#include "document/document.h"
#include "document/runs/counterparts.h"
#include "document/runs/edge_counterparts.h"
#include "document/tag_edits.h"

#include <utility>

namespace sunder {

void Marks::select(std::vector<NodeId> nodes, const QString& what, NodeId focus)
{
    makeSet(nodes);
    Selection selection{.source = std::move(nodes), .what = what};
    if (!focus && selection.source.size() == 1)
        focus = selection.source.front();
    if (document().isOpen() && focus)
        selection.focus = {snapshot()->program.root, focus};
    setSelection(std::move(selection));
}

void Marks::selectIn(int run, std::vector<NodeRef> nodes, NodeRef focus)
{
    const Run* at = document().runs().find(run);
    if (at == nullptr || mapOf(*at) == nullptr)
        return;
    Selection selection = pickedIn(*at, snapshot()->program.root, std::move(nodes));
    if (focus.node)
        selection.focus = focus;
    setSelection(std::move(selection));
}

void Marks::selectEdge(SelectedEdge edge)
{
    if (!edge.values.empty())
        setSelection({.edge = std::move(edge)});
}

std::optional<EdgeEnds> Marks::selectedEdgeIn(int run, GraphId graph) const
{
    const std::optional<SelectedEdge>& edge = m_selection.edge;
    if (!edge || !document().isOpen())
        return std::nullopt;
    if (edge->run == run && edge->graph == graph)
        return edge->ends();
    const Program& source = snapshot()->program;
    const Run* of = document().runs().find(edge->run);
    const Run* in = document().runs().find(run);
    const std::optional<EdgeEnds> ends = edge->run == 0 ? std::optional(edge->ends())
        : of == nullptr                                 ? std::nullopt
                                                        : edgeInSource(source, *of, *edge);
    if (run == 0)
        return graph == source.root ? ends : std::nullopt;
    return ends && in != nullptr ? edgeInRun(source, *ends, *in, graph) : std::nullopt;
}

void Marks::reset()
{
    m_selection = {};
    m_hovered.clear();
    m_found.clear();
}

void Marks::setSelection(Selection selection)
{
    emit aboutToSelect();
    m_selection = std::move(selection);
    announce(Change::selection);
}

std::vector<NodeRef> Marks::selectedIn(int run) const
{
    return m_selection.run == run && run != 0 ? m_selection.picked : document().runs().counterpartsIn(run, m_selection.source);
}

void Marks::setHovered(std::vector<NodeId> nodes)
{
    makeSet(nodes);
    if (nodes == m_hovered)
        return;
    m_hovered = std::move(nodes);
    emit hoverChanged();
}

void Marks::setFound(std::vector<NodeId> nodes)
{
    makeSet(nodes);
    if (nodes == m_found)
        return;
    m_found = std::move(nodes);
    emit foundChanged();
}

void Marks::selectTag(int tag)
{
    if (!document().isOpen())
        return;
    std::vector<NodeId> nodes;
    for (const NodeId id : snapshot()->graph().nodes())
        if (snapshot()->isCall(id) && document().tags()[id] == tag)
            nodes.push_back(id);
    select(std::move(nodes));
}

bool Marks::selectNextUntagged()
{
    if (!document().isOpen())
        return false;
    const std::uint32_t here = m_selection.source.empty() ? 0 : snapshot()->positions[m_selection.source.front().index()];
    const NodeId next = nextUntagged(document().tagState(), *snapshot(), document().checks().report().untagged, here);
    if (!next)
        return false;
    select({next});
    emit revealRequested();
    return true;
}

} // namespace sunder

#include "moc_marks.cpp"
