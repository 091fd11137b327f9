// PartitionDagPane: links to the selection and hover of other panes, its menu, and graphs in unfolded boxes. The selection is
// kept as nodes of the source, and the cut maps these to parts, so previews that are not runs are linked as well.
#include "document/runs/why_here.h"
#include "document/text.h"
#include "models/paint_menu.h"
#include "models/tag_style_of.h"
#include "panes/partition_dag/boundary_list.h"
#include "panes/partition_dag/dag_nodes.h"
#include "panes/partition_dag/part_graphs.h"
#include "panes/partition_dag/part_mover.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/partition_dag/tensor_list.h"
#include "text/amounts.h"

#include <QMenu>

#include <algorithm>

namespace sunder {
namespace {

/// Maximum number of source nodes to mark on hover; more would be slow at every mouse move.
constexpr std::size_t kMaxHovered = 20'000;

} // namespace

void PartitionDagPane::showSelection(const std::vector<NodeRef>& selected)
{
    const bool isRun = shownNumber() == runNumber(); // `selected` refers to the run, even while a preview is shown
    m_selected = isRun ? selected : document().marks().selectedIn(shownNumber());
    m_graphs->showSelection(m_selected);
    markHandles();
    const std::vector<NodeId>& source = document().marks().selection().source;
    std::vector<std::size_t> perBox(m_view->content().boxes.size(), 0);
    if (m_measure)
        for (const NodeId id : source)
            if (const int box = m_view->content().boxOf(m_measure->partOf(id)); box >= 0)
                ++perBox[static_cast<std::size_t>(box)];
    m_view->setSelectedOps(std::move(perBox));
    if (m_list->isOpen() && !m_picking)
        m_tensors->markSelected(source);
}

void PartitionDagPane::markHandles()
{
    const std::vector<NodeId>& source = document().marks().selection().source; // sorted
    constexpr std::size_t kMaxWithLines = 12; // with more, the lines would clutter the view
    std::vector<char> perShared;
    for (const DagShared& value : m_view->content().shared)
        perShared.push_back(source.size() <= kMaxWithLines && std::binary_search(source.begin(), source.end(), value.node) ? 1
                                                                                                                           : 0);
    m_view->setSelectedShared(std::move(perShared));
    std::vector<char> perHandle;
    for (const DagHandle& handle : m_view->content().handles)
        perHandle.push_back(std::binary_search(source.begin(), source.end(), handle.node) ? 1 : 0);
    m_view->setSelectedHandles(std::move(perHandle));
}

void PartitionDagPane::showHovered(const std::vector<NodeRef>& hovered)
{
    m_graphs->showHovered(
        shownNumber() == runNumber() ? hovered : document().runs().counterpartsIn(shownNumber(), document().marks().hovered()));
    std::vector<char> perBox(m_view->content().boxes.size(), 0);
    if (m_measure && !m_view->underMouse())
        for (const NodeId id : document().marks().hovered())
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
        m_view->ensureShown({DagHit::Kind::box, static_cast<int>(first - selected.begin())});
}

void PartitionDagPane::documentChanged(Changes what)
{
    if (what & (Change::tags | Change::outcome | Change::devices))
        showNotice();
    if (what.testFlag(Change::selection))
        m_mover->selectionChanged();
}

std::vector<NodeId> PartitionDagPane::nodesOf(DagHit place) const
{
    return m_measure ? nodesAt(*m_view, *m_measure, place) : std::vector<NodeId>();
}

void PartitionDagPane::pick(DagHit place, SelectionMode mode)
{
    const DagHandle* handle = handleAt(*m_view, place);
    const bool isOne = handle != nullptr || sharedAt(*m_view, place) != nullptr;
    if (place.kind != DagHit::Kind::box && !isOne) {
        list(place);
        return;
    }
    m_picking = true;
    document().marks().select(withPicked(document().marks().selection().source, nodesOf(place), mode));
    if (isOne)
        document().marks().reveal();
    m_picking = false;
}

void PartitionDagPane::activate(DagHit place)
{
    if (const DagHandle* handle = handleAt(*m_view, place)) {
        m_mover->moveHandle(*handle);
    } else if (place.kind != DagHit::Kind::box) {
        list(place);
        m_tensors->view().setFocus();
    } else if (!m_view->layoutOfContent().isUnfolded(static_cast<std::size_t>(place.index))) {
        unfold(place.index);
    } else if (RunGraphView* graph = m_graphs->graphOf(m_view->content().boxes[static_cast<std::size_t>(place.index)].part)) {
        graph->canvas().setFocus(); // a second Enter moves into the graph
    }
}

void PartitionDagPane::hover(DagHit place)
{
    std::vector<NodeId> nodes = nodesOf(place);
    document().marks().setHovered(nodes.size() > kMaxHovered ? std::vector<NodeId>() : std::move(nodes));
}

void PartitionDagPane::unfold(int box)
{
    if (shownNumber() == 0 || box < 0)
        return;
    const DagBox at = m_view->content().boxes[static_cast<std::size_t>(box)];
    if (at.sizes.ops > PartGraphs::kMaxOps) {
        const QString why = tr("%1 has %2, too many to show in a box").arg(at.look.name, countText(at.sizes.ops, "op"));
        if (shownNumber() == runNumber()) {
            emit partActivated(at.look.name);
            emit message(tr("%1. Its graph is in Submodules.").arg(why));
        } else {
            emit message(tr("%1. Keep this preview as a run to see its graph in Submodules.").arg(why));
        }
        return;
    }
    if (m_graphs->open(at.part, m_measure->tags().order[static_cast<std::size_t>(at.part)]) == nullptr)
        return;
    constexpr int kGood = 420;
    emit roomWanted(kGood);
    m_view->setGraphs(m_graphs->perBox(m_view->content()));
    m_view->setCurrent({DagHit::Kind::box, box});
    m_view->ensureShown({DagHit::Kind::box, box});
}

void PartitionDagPane::fold(int box)
{
    if (box < 0)
        return;
    const std::int32_t part = m_view->content().boxes[static_cast<std::size_t>(box)].part;
    RunGraphView* graph = m_graphs->graphOf(part);
    if (graph == nullptr)
        return;
    if (graph->isAncestorOf(focusWidget()))
        m_view->setFocus();
    m_graphs->close(part);
    m_view->setGraphs(m_graphs->perBox(m_view->content()));
    m_view->setCurrent({DagHit::Kind::box, box});
    m_view->ensureShown({DagHit::Kind::box, box});
}

void PartitionDagPane::list(DagHit place)
{
    if (m_measure)
        m_list->open(*m_measure, place, document().marks().selection().source);
}

void PartitionDagPane::closeList()
{
    m_list->close();
}

void PartitionDagPane::addBoxActions(QMenu& menu, DagHit place)
{
    const QString name = nameOfBox(*m_view, place.index);
    const bool isUnfolded = m_view->layoutOfContent().isUnfolded(static_cast<std::size_t>(place.index));
    if (isUnfolded)
        menu.addAction(tr("Collapse the graph of %1\tEsc").arg(caption(name)), this, [this, place] { fold(place.index); });
    else
        menu.addAction(tr("Expand the graph of %1\tEnter").arg(caption(name)), this, [this, place] { unfold(place.index); });
    menu.addAction(tr("Open in Submodules"), this, [this, name] { emit partActivated(name); })
        ->setEnabled(m_measure && m_measure->cut() == result<SplitOutcomePtr>());
    menu.addAction(tr("Select its ops\tSpace"), this, [this, place] { pick(place, SelectionMode::replace); });
    addPaintActions(*menu.addMenu(tr("Paint its ops")), document(), {nodesOf(place), name});
    menu.addAction(tr("List inputs and outputs"), this, [this, place] {
        list(place);
        m_tensors->view().setFocus();
    });
    if (const SplitOutcomePtr shown = cut(); shown && shown->plan && m_measure)
        menu.addAction(tr("&Why here?"), this, [this, shown, name] {
            const WhyHere why = whyPartHere(document().graph(), *shown, interned(name));
            emit answered(why.question, why.answer);
        });
    addWhyDevices(menu, static_cast<int>(m_view->content().boxes[static_cast<std::size_t>(place.index)].lane));
    menu.addSeparator();
}

/// Adds "Why does dev1 hold these parts?" for each device of a lane.
void PartitionDagPane::addWhyDevices(QMenu& menu, int lane)
{
    const SplitOutcomePtr shown = cut();
    if (!shown || lane < 0)
        return;
    const std::vector<std::int64_t>& devices = m_view->content().lanes[static_cast<std::size_t>(lane)].devices;
    QMenu* into = devices.size() > 1 ? menu.addMenu(tr("Why these devices?")) : &menu;
    for (const std::int64_t device : devices)
        if (const WhyHere why = whyDeviceHere(document().graph(), *shown, device); !why.answer.isEmpty())
            into->addAction(caption(why.question), this, [this, why] { emit answered(why.question, why.answer); });
}

void PartitionDagPane::fillMenu(QMenu& menu, DagHit place, int lane)
{
    if (place.kind == DagHit::Kind::box) {
        addBoxActions(menu, place);
    } else if (place.kind == DagHit::Kind::none) {
        addWhyDevices(menu, lane);
        menu.addSeparator();
    } else if (place.kind == DagHit::Kind::cutEdge || (place.kind == DagHit::Kind::chip && handleAt(*m_view, place) == nullptr)) {
        menu.addAction(sharedAt(*m_view, place) != nullptr ? tr("List its consumers\tEnter") : tr("List its tensors\tEnter"),
                       this, [this, place] { activate(place); });
        menu.addSeparator();
    } else if (const DagHandle* handle = handleAt(*m_view, place)) {
        if (!std::ranges::binary_search(document().marks().selection().source, handle->node))
            document().marks().select({handle->node}); // the menu applies to the selection
    }
    const std::vector<NodeId> calls = m_mover->selectedCalls();
    QMenu* move = menu.addMenu(calls.empty() ? tr("Move the selection to part (M)")
                                             : tr("Move %1 to part (M)").arg(caption(m_mover->nameOf(calls))));
    move->setEnabled(!calls.empty() && m_measure);
    for (std::size_t i = 0; i < m_view->content().boxes.size(); ++i) {
        const TagLook& look = m_view->content().boxes[i].look;
        move->addAction(tagSwatch(look.style, currentTheme()), tr("%1 …").arg(caption(look.name)), this,
                        [this, calls, i] { m_mover->begin(calls, static_cast<int>(i)); });
    }
    menu.addAction(tr("Convert to tags"), m_mover, &PartMover::takeOverAsTags)->setEnabled(m_measure != nullptr);
    if (m_preview->state() == PartitionPreview::State::ready)
        menu.addAction(tr("Keep this preview as a run"), m_preview, &PartitionPreview::keep);
}

} // namespace sunder
