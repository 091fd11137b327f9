// SubmodulesPane: links to the selection, hover, and search hits of other panes, in both directions.
#include "panes/submodules/submodules_pane.h"

#include "document/text.h"
#include "panes/submodules/submodules_bar.h"
#include "support/format.h"
#include "text/amounts.h"
#include "text/elided_name.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr int kWidestName = 160; ///< on a tab

} // namespace

void SubmodulesPane::connectGraph(int index, RunGraphView& graph)
{
    graph.canvas().setPictureStyle(styleOf(m_pages[static_cast<std::size_t>(index)]));
    link(graph);
    connect(&graph.canvas(), &CanvasWidget::nodeActivated, this, [this, &graph](NodeId node) { activate(graph, node); });
    connect(
        &graph, &GraphView::pictureShown, this,
        [this, &graph] {
            if (m_bar->isTiled()) // tiles are an overview: show the whole part rather than readable text
                graph.canvas().showWhole();
        },
        Qt::SingleShotConnection);
    connect(&graph, &GraphView::breadcrumbsChanged, this, [this, &graph] {
        if (&graph == currentView())
            header().breadcrumbs().setParts(graph.breadcrumbs());
    });
}

void SubmodulesPane::activate(const RunGraphView& view, NodeId node)
{
    // Enter on the call of a part opens the part.
    const auto page = std::find_if(m_pages.begin(), m_pages.end(), [node](const Page& at) { return at.call == node; });
    if (view.graphId() == m_pages.front().about.graph && page != m_pages.end() && page->call)
        m_tabs->setCurrentIndex(static_cast<int>(page - m_pages.begin()));
}

/// Returns the calls, in the main graph, of the parts that contain these nodes. O(nodes + parts).
std::vector<NodeId> SubmodulesPane::callsOf(const std::vector<NodeRef>& nodes) const
{
    std::vector<NodeId> calls;
    if (!m_shown || nodes.empty())
        return calls;
    std::vector<char> hasNodes(m_shown->split.program.graphs.size(), 0);
    for (const NodeRef ref : nodes)
        hasNodes[ref.graph.index()] = 1;
    for (const Page& page : m_pages)
        if (page.call && hasNodes[page.about.graph.index()] != 0)
            calls.push_back(page.call);
    return calls;
}

/// Marks the hits in graphs and code. The main graph also marks the calls of parts with hits; the tabs of these parts show the
/// number.
void SubmodulesPane::showFound()
{
    if (!m_shown)
        return;
    const std::vector<NodeId>& found = document().marks().found();
    m_hits = found.empty() ? std::vector<NodeRef>() : document().runs().copiesIn(runNumber(), found);
    m_hitCalls = callsOf(m_hits);
    std::vector<std::size_t> perGraph(m_shown->split.program.graphs.size(), 0);
    for (const NodeRef ref : m_hits)
        ++perGraph[ref.graph.index()];
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        passFound(m_pages[i]);
        if (i > 0)
            showHits(static_cast<int>(i), perGraph[m_pages[i].about.graph.index()]);
    }
}

void SubmodulesPane::showHits(int index, std::size_t hits)
{
    const PartPage& part = m_pages[static_cast<std::size_t>(index)].about;
    const QString nodes = countText(part.nodes().size(), "node");
    QStringList besides; // names of the adjacent tabs
    for (const int other : {index - 1, index + 1})
        if (other >= 0 && other < static_cast<int>(m_pages.size()))
            besides << m_pages[static_cast<std::size_t>(other)].about.name;
    const QString name = caption(elidedName(part.name, QFontMetricsF(m_tabs->font()), kWidestName, besides), kWidestName);
    m_tabs->setTabText(index, hits == 0 ? name : tr("%1 (%2)").arg(name, text(formatCount(hits))));
    m_tabs->setTabToolTip(index,
                          tr("Part %1: %2 (Ctrl+PageUp, Ctrl+PageDown)")
                              .arg(brief(part.name), hits == 0 ? nodes : tr("%1, %2").arg(nodes, countText(hits, "search hit"))));
}

void SubmodulesPane::passFound(const Page& page)
{
    if (page.view != nullptr)
        page.view->showFound(m_hits, page.about.part < 0 ? m_hitCalls : std::vector<NodeId>());
}

void SubmodulesPane::passSelection(const Page& page)
{
    if (page.view != nullptr)
        page.view->showSelection(m_selected, page.about.part < 0 ? callsOf(m_selected) : std::vector<NodeId>());
}

void SubmodulesPane::showSelection(const std::vector<NodeRef>& selected)
{
    m_selected = selected;
    std::vector<int> holding;
    bool isPicking = false;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        isPicking = isPicking || (m_pages[i].view != nullptr && m_pages[i].view->isPicking());
        passSelection(m_pages[i]);
        if (i > 0
            && std::any_of(selected.begin(), selected.end(), [&](NodeRef ref) { return ref.graph == m_pages[i].about.graph; }))
            holding.push_back(static_cast<int>(i));
    }
    // If a part is in front, the selection brings the part that contains it to the front.
    const int front = m_tabs->currentIndex();
    if (isFollowing() && !isPicking && front > 0 && holding.size() == 1 && holding.front() != front)
        m_tabs->setCurrentIndex(holding.front());
}

void SubmodulesPane::showHovered(const std::vector<NodeRef>& hovered)
{
    for (const Page& page : m_pages)
        if (page.view != nullptr)
            page.view->showHovered(hovered, page.about.part < 0 ? callsOf(hovered) : std::vector<NodeId>());
}

void SubmodulesPane::reveal()
{
    for (const Page& page : m_pages) // all tiles are visible
        if (page.view != nullptr && (m_bar->isTiled() || page.view == currentPage()))
            page.view->reveal();
}

} // namespace sunder
