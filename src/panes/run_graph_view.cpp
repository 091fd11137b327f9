#include "panes/run_graph_view.h"

#include "panes/frame_scheduler.h"

#include <algorithm>

namespace sunder {

RunGraphView::RunGraphView(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, const QString& key,
                           QWidget* parent)
    : GraphView(jobs, std::move(engine), key, parent), m_document(document)
{
    connect(&canvas(), &CanvasWidget::selectionRequested, this, &RunGraphView::pick);
    connect(this, &GraphView::edgePicked, this, [this](SelectedEdge edge) {
        edge.run = m_run;
        m_document.marks().selectEdge(std::move(edge));
    });
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::selection))
            canvas().setSelectedEdge(m_document.marks().selectedEdgeIn(m_run, graphId()));
    });
    connect(&canvas(), &CanvasWidget::hovered, this, &RunGraphView::hover);
    connect(&document.marks(), &Marks::foundChanged, this, [this] {
        FrameScheduler::follow(*this, FrameScheduler::What::hits, m_document.marks().found().size(), [this] { markFound(); });
    });
    canvas().setTool(ToolKind::select);
    canvas().setLegendVisible(false);
}

void RunGraphView::setRun(int run, std::shared_ptr<const Program> program, GraphId graph, const QString& name, PictureHints hints)
{
    m_run = run;
    m_selected.clear();
    m_calls.clear();
    m_hovered.clear();
    m_foundCalls.clear();
    m_standIns.clear();
    setGraph(std::move(program), graph, name, std::move(hints));
    canvas().setAccessibleName(tr("Graph of %1").arg(name));
    markFound();
}

void RunGraphView::setRunNumber(int run)
{
    m_run = run;
    markFound();
}

std::vector<NodeId> RunGraphView::here(const std::vector<NodeRef>& refs) const
{
    std::vector<NodeId> nodes;
    for (const NodeRef ref : refs)
        if (ref.graph == graphId())
            nodes.push_back(ref.node);
    return nodes;
}

void RunGraphView::showSelection(const std::vector<NodeRef>& selected, const std::vector<NodeId>& calls)
{
    m_selected = here(selected);
    m_calls = calls;
    canvas().setSelectedNodes(m_selected);
    markCounterparts();
}

void RunGraphView::showHovered(const std::vector<NodeRef>& hovered, const std::vector<NodeId>& calls)
{
    m_hovered = here(hovered);
    m_hovered.insert(m_hovered.end(), calls.begin(), calls.end());
    const std::vector<NodeId> representatives = representativesFor(m_document.marks().hovered());
    m_hovered.insert(m_hovered.end(), representatives.begin(), representatives.end());
    markCounterparts();
}

void RunGraphView::markCounterparts()
{
    std::vector<NodeId> nodes = m_calls;
    nodes.insert(nodes.end(), m_hovered.begin(), m_hovered.end());
    canvas().setCounterparts(nodes);
}

void RunGraphView::markFound()
{
    std::vector<NodeId> nodes = m_document.marks().found().empty()
        ? std::vector<NodeId>()
        : here(m_document.runs().counterpartsIn(m_run, m_document.marks().found()));
    nodes.insert(nodes.end(), m_foundCalls.begin(), m_foundCalls.end());
    const std::vector<NodeId> representatives = representativesFor(m_document.marks().found());
    nodes.insert(nodes.end(), representatives.begin(), representatives.end());
    canvas().setFoundNodes(nodes);
}

void RunGraphView::setStandIns(std::vector<Representative> representatives)
{
    m_standIns = std::move(representatives);
    markFound();
}

std::vector<NodeId> RunGraphView::representativesFor(const std::vector<NodeId>& sources) const
{
    std::vector<NodeId> nodes;
    if (sources.empty() || m_standIns.empty())
        return nodes;
    const NodeSet wanted(sources);
    for (const Representative& representative : m_standIns)
        if (std::ranges::any_of(representative.sources, [&](NodeId id) { return wanted.contains(id); }))
            nodes.push_back(representative.node);
    return nodes;
}

void RunGraphView::showFoundCalls(const std::vector<NodeId>& calls)
{
    m_foundCalls = calls;
    markFound();
}

bool RunGraphView::reveal()
{
    if (m_selected.empty())
        return false;
    showNodes(m_selected);
    return true;
}

/// In a narrow view the minimap would cover the graph.
void RunGraphView::resizeEvent(QResizeEvent* event)
{
    constexpr int kRoomForMinimap = 420;
    GraphView::resizeEvent(event);
    canvas().setMinimapVisible(width() >= kRoomForMinimap);
}

void RunGraphView::pick(const std::vector<NodeId>& nodes, SelectionMode mode)
{
    std::vector<NodeId> wanted = nodes;
    if (mode != SelectionMode::replace)
        wanted.insert(wanted.end(), m_selected.begin(), m_selected.end());
    if (mode == SelectionMode::toggle) // deselect nodes that were selected already
        std::erase_if(wanted, [&](NodeId id) {
            return std::find(nodes.begin(), nodes.end(), id) != nodes.end()
                && std::find(m_selected.begin(), m_selected.end(), id) != m_selected.end();
        });
    std::vector<NodeRef> refs;
    for (const NodeId id : wanted)
        refs.push_back({graphId(), id});
    const NodeId focus = mode == SelectionMode::replace ? boxedNode(nodes) : NodeId();
    m_picking = true;
    m_document.marks().selectIn(m_run, std::move(refs), focus ? NodeRef{graphId(), focus} : NodeRef{});
    m_document.marks().reveal();
    m_picking = false;
}

void RunGraphView::hover(const std::vector<NodeId>& nodes)
{
    std::vector<NodeRef> refs;
    for (const NodeId id : nodes)
        refs.push_back({graphId(), id});
    std::vector<NodeId> sources = m_document.runs().sourcesOf(m_run, refs);
    for (const Representative& representative : m_standIns) // a call represents all ops that it runs
        if (std::ranges::find(nodes, representative.node) != nodes.end())
            sources.insert(sources.end(), representative.sources.begin(), representative.sources.end());
    m_document.marks().setHovered(std::move(sources));
}

} // namespace sunder

#include "moc_run_graph_view.cpp"
