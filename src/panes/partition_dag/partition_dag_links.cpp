// How a PartitionDagPane goes along with what is selected and hovered, and makes others go along. The cut is known as
// parts of the source's nodes, which is what selection is kept as, so a preview that is no run is linked like one.
#include "panes/partition_dag/partition_dag_pane.h"

#include "panes/partition_dag/part_graphs.h"
#include "panes/partition_dag/tensor_list.h"

#include <algorithm>

namespace sunder {
namespace {

/// Marking what stands for more than this many nodes at every move of the mouse would be slow.
constexpr std::size_t kMostHovered = 20'000;

} // namespace

void PartitionDagPane::showSelection(const std::vector<NodeRef>& selected)
{
    const bool isRun = shownNumber() == runNumber(); // what is given is of the run, also while a preview is shown
    m_selected = isRun ? selected : document().selectedIn(shownNumber());
    m_graphs->showSelection(m_selected);
    markHandles();
    const std::vector<NodeId>& source = document().selection().source;
    std::vector<std::size_t> perBox(m_view->content().boxes.size(), 0);
    if (m_measure)
        for (const NodeId id : source)
            if (const int box = m_view->content().boxOf(m_measure->partOf(id)); box >= 0)
                ++perBox[static_cast<std::size_t>(box)];
    m_view->setSelectedOps(std::move(perBox));
    if (m_listed.kind != DagPlace::Kind::none && !m_picking)
        m_tensors->markSelected(source);
}

void PartitionDagPane::markHandles()
{
    const std::vector<NodeId>& source = document().selection().source; // sorted
    std::vector<char> perHandle;
    for (const DagHandle& handle : m_view->content().handles)
        perHandle.push_back(std::binary_search(source.begin(), source.end(), handle.node) ? 1 : 0);
    m_view->setSelectedHandles(std::move(perHandle));
}

const DagHandle* PartitionDagPane::handleAt(DagPlace place) const
{
    if (place.kind != DagPlace::Kind::chip)
        return nullptr;
    const int handle = m_view->layoutOfContent().chips[static_cast<std::size_t>(place.index)].handle;
    return handle < 0 ? nullptr : &m_view->content().handles[static_cast<std::size_t>(handle)];
}

void PartitionDagPane::showHovered(const std::vector<NodeRef>& hovered)
{
    m_graphs->showHovered(shownNumber() == runNumber() ? hovered
                                                       : document().counterpartsIn(shownNumber(), document().hovered()));
    std::vector<char> perBox(m_view->content().boxes.size(), 0);
    if (m_measure && !m_view->underMouse())
        for (const NodeId id : document().hovered())
            if (const int box = m_view->content().boxOf(m_measure->partOf(id)); box >= 0)
                perBox[static_cast<std::size_t>(box)] = 1;
    m_view->setHoveredBoxes(std::move(perBox));
}

void PartitionDagPane::reveal()
{
    m_graphs->reveal();
    const std::vector<std::size_t>& selected = m_view->marks().selectedOps;
    const auto first = std::find_if(selected.begin(), selected.end(), [](std::size_t ops) { return ops > 0; });
    if (!m_picking && first != selected.end())
        m_view->ensureShown({DagPlace::Kind::box, static_cast<int>(first - selected.begin())});
}

void PartitionDagPane::documentChanged(Changes what)
{
    if (what & (Change::tags | Change::outcome | Change::devices))
        showNotice();
    if (what.testFlag(Change::selection) && !m_moving.empty() && m_moving != selectedCalls())
        cancelMove(); // it was about what was selected
}

std::vector<NodeId> PartitionDagPane::nodesOf(DagPlace place) const
{
    if (!m_measure || place.kind == DagPlace::Kind::none)
        return {};
    const DagContent& content = m_view->content();
    if (place.kind == DagPlace::Kind::box)
        return m_measure->nodesOf(content.boxes[static_cast<std::size_t>(place.index)].part);
    if (const DagHandle* handle = handleAt(place))
        return {handle->node};
    std::vector<NodeId> nodes;
    if (place.kind == DagPlace::Kind::chip)
        return nodes;
    for (const RibbonValue& value :
         m_measure->metrics().ribbons[content.ribbons[static_cast<std::size_t>(place.index)].ribbon].values)
        nodes.push_back(value.node);
    return nodes;
}

void PartitionDagPane::pick(DagPlace place, SelectionMode mode)
{
    const DagHandle* handle = handleAt(place);
    if (place.kind != DagPlace::Kind::box && handle == nullptr) {
        list(place);
        return;
    }
    std::vector<NodeId> nodes = nodesOf(place);
    const std::vector<NodeId>& before = document().selection().source;
    if (mode != SelectionMode::replace) {
        const bool all = std::includes(before.begin(), before.end(), nodes.begin(), nodes.end());
        std::vector<NodeId> wanted;
        if (mode == SelectionMode::toggle && all)
            std::set_difference(before.begin(), before.end(), nodes.begin(), nodes.end(), std::back_inserter(wanted));
        else
            std::set_union(before.begin(), before.end(), nodes.begin(), nodes.end(), std::back_inserter(wanted));
        nodes = std::move(wanted);
    }
    m_picking = true;
    document().select(std::move(nodes));
    if (handle != nullptr)
        document().reveal();
    m_picking = false;
}

void PartitionDagPane::activate(DagPlace place)
{
    if (const DagHandle* handle = handleAt(place)) {
        moveHandle(*handle);
    } else if (place.kind != DagPlace::Kind::box) {
        list(place);
        m_tensors->view().setFocus();
    } else if (!m_view->layoutOfContent().isUnfolded(static_cast<std::size_t>(place.index))) {
        unfold(place.index);
    } else if (RunGraphView* graph = m_graphs->graphOf(m_view->content().boxes[static_cast<std::size_t>(place.index)].part)) {
        graph->canvas().setFocus(); // Enter once more goes into it
    }
}

void PartitionDagPane::hover(DagPlace place)
{
    std::vector<NodeId> nodes = nodesOf(place);
    document().setHovered(nodes.size() > kMostHovered ? std::vector<NodeId>() : std::move(nodes));
}

} // namespace sunder
