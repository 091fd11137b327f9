// Selected, hovered, and found nodes, in the source and as counterparts in the runs.
#include "document/document.h"

#include "document/runs/counterparts.h"
#include "document/runs/edge_counterparts.h"
#include "document/tag_edits.h"

#include <utility>

namespace sunder {

void Document::select(std::vector<NodeId> nodes, const QString& what, NodeId focus)
{
    makeSet(nodes);
    Selection selection{.source = std::move(nodes), .what = what};
    if (!focus && selection.source.size() == 1)
        focus = selection.source.front();
    if (isOpen() && focus)
        selection.focus = {m_snapshot->program.root, focus};
    setSelection(std::move(selection));
}

void Document::selectIn(int run, std::vector<NodeRef> nodes, NodeRef focus)
{
    const Run* at = this->run(run);
    if (at == nullptr || mapOf(*at) == nullptr)
        return;
    Selection selection = pickedIn(*at, m_snapshot->program.root, std::move(nodes));
    if (focus.node)
        selection.focus = focus;
    setSelection(std::move(selection));
}

void Document::selectEdge(SelectedEdge edge)
{
    if (!edge.values.empty())
        setSelection({.edge = std::move(edge)});
}

std::optional<EdgeEnds> Document::selectedEdgeIn(int run, GraphId graph) const
{
    const std::optional<SelectedEdge>& edge = m_selection.edge;
    if (!edge || !isOpen())
        return std::nullopt;
    if (edge->run == run && edge->graph == graph)
        return edge->ends();
    const Program& source = m_snapshot->program;
    const Run* of = this->run(edge->run);
    const Run* in = this->run(run);
    const std::optional<EdgeEnds> ends = edge->run == 0 ? std::optional(edge->ends())
        : of == nullptr                                 ? std::nullopt
                                                        : edgeInSource(source, *of, *edge);
    if (run == 0)
        return graph == source.root ? ends : std::nullopt;
    return ends && in != nullptr ? edgeInRun(source, *ends, *in, graph) : std::nullopt;
}

void Document::setSelection(Selection selection)
{
    emit aboutToSelect();
    m_selection = std::move(selection);
    emit changed(Change::selection);
}

std::vector<NodeRef> Document::selectedIn(int run) const
{
    return m_selection.run == run && run != 0 ? m_selection.picked : counterpartsIn(run, m_selection.source);
}

std::vector<NodeRef> Document::counterpartsIn(int run, const std::vector<NodeId>& source) const
{
    return isOpen() ? sunder::counterpartsIn(this->run(run), m_snapshot->program.root, source) : std::vector<NodeRef>();
}

std::vector<NodeRef> Document::copiesIn(int run, const std::vector<NodeId>& source) const
{
    return isOpen() ? sunder::copiesIn(this->run(run), m_snapshot->program.root, source) : std::vector<NodeRef>();
}

std::vector<NodeId> Document::sourcesOf(int run, const std::vector<NodeRef>& nodes) const
{
    return isOpen() ? sunder::sourcesOf(this->run(run), m_snapshot->program.root, nodes) : std::vector<NodeId>();
}

void Document::setHovered(std::vector<NodeId> nodes)
{
    makeSet(nodes);
    if (nodes == m_hovered)
        return;
    m_hovered = std::move(nodes);
    emit hoverChanged();
}

void Document::setFound(std::vector<NodeId> nodes)
{
    makeSet(nodes);
    if (nodes == m_found)
        return;
    m_found = std::move(nodes);
    emit foundChanged();
}

bool Document::selectNextUntagged()
{
    if (!isOpen())
        return false;
    const std::uint32_t here = m_selection.source.empty() ? 0 : m_snapshot->positions[m_selection.source.front().index()];
    const NodeId next = nextUntagged(m_state, *m_snapshot, report().untagged, here);
    if (!next)
        return false;
    select({next});
    emit revealRequested();
    return true;
}

} // namespace sunder
