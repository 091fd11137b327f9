// RegionsPane: links to the selection, hover, and search hits of other panes, in both directions.
#include "document/text.h"
#include "panes/regions/regions_pane.h"
#include "panes/regions/ui_regions_pane.h"
#include "support/sort_unique.h"
#include "text/amounts.h"

#include <QEvent>
#include <QScopedValueRollback>

namespace sunder {
namespace {

void makeSet(std::vector<std::size_t>& numbers)
{
    sortUnique(numbers);
}

} // namespace

// From this pane --------------------------------------------------------------------------------------

void RegionsPane::select(std::vector<NodeId> nodes)
{
    const QScopedValueRollback picking(m_picking, true);
    document().marks().select(std::move(nodes));
    document().marks().reveal();
}

void RegionsPane::goTo(int row, bool whole)
{
    if (group() == nullptr || row < 0 || row >= m_occurrences->rowCount())
        return;
    const auto region = m_occurrences->order().nodesAt(row);
    const bool isOne = !whole && m_selected.size() == 1;
    select(isOne ? std::vector{region[m_selected.front()]} : std::vector<NodeId>(region.begin(), region.end()));
}

void RegionsPane::pickPlaces(const std::vector<std::size_t>& places)
{
    if (group() == nullptr || currentRow() < 0)
        return;
    const auto region = m_occurrences->order().nodesAt(currentRow());
    std::vector<NodeId> nodes;
    for (const std::size_t place : places)
        nodes.push_back(region[place]);
    select(std::move(nodes));
}

/// Selects the source edge that corresponds to an edge of the region, in the current occurrence.
void RegionsPane::pickEdge(const SelectedEdge& edge)
{
    if (group() == nullptr || currentRow() < 0)
        return;
    auto same = m_graph->inSource(edge, document().graph(), m_occurrences->order().nodesAt(currentRow()));
    if (!same) {
        m_graph->canvas().setSelectedEdge({});
        return;
    }
    const QScopedValueRollback picking(m_picking, true);
    same->graph = document().snapshot()->program.root;
    document().marks().selectEdge(std::move(*same));
}

void RegionsPane::hoverPlaces(const std::vector<std::size_t>& places)
{
    if (group() == nullptr)
        return;
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < group()->regionCount(); ++i)
        for (const std::size_t place : places)
            nodes.push_back(group()->region(i)[place]);
    document().marks().setHovered(std::move(nodes));
}

void RegionsPane::hoverRow(const QModelIndex& index, bool whole)
{
    if (group() == nullptr || !index.isValid())
        return;
    const auto region = m_occurrences->order().nodesAt(index.row());
    const bool isOne = !whole && m_selected.size() == 1;
    document().marks().setHovered(isOne ? std::vector{region[m_selected.front()]}
                                        : std::vector<NodeId>(region.begin(), region.end()));
}

bool RegionsPane::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Leave && (watched == m_ui->rail->viewport() || watched == elsewhere().viewport()))
        document().marks().setHovered({});
    return ResultPane::eventFilter(watched, event);
}

// To this pane ----------------------------------------------------------------------------------------

RegionsPane::Here RegionsPane::hereOf(const std::vector<NodeId>& nodes) const
{
    Here here;
    for (const NodeId id : nodes)
        if (const auto at = m_index.at(id); at && at->group == card()->group) {
            here.occurrences.push_back(at->occurrence);
            here.places.push_back(at->place);
        }
    makeSet(here.occurrences);
    makeSet(here.places);
    return here;
}

/// Prefers the end in the current occurrence, then the consumer, then the producer.
std::optional<RegionsPane::EdgePlace> RegionsPane::placeOf(const EdgeEnds& edge) const
{
    std::optional<EdgePlace> found;
    for (const bool isReader : {true, false}) {
        const NodeId end = isReader ? edge.reader : edge.value;
        const auto at = end ? m_index.at(end) : std::nullopt;
        if (!at || at->group != card()->group)
            continue;
        if (!found || m_occurrences->order().rowOf(at->occurrence) == currentRow())
            found = EdgePlace{*at, isReader};
        if (m_occurrences->order().rowOf(found->at.occurrence) == currentRow())
            break;
    }
    return found;
}

std::optional<std::size_t> RegionsPane::groupOfSelection() const
{
    std::optional<std::size_t> found;
    for (const NodeId id : document().marks().selection().source) {
        const auto at = m_index.at(id);
        if (!at || (found && *found != at->group))
            return std::nullopt;
        found = at->group;
    }
    return found;
}

void RegionsPane::setCurrentRow(int row)
{
    const QScopedValueRollback following(m_following, true);
    m_ui->rail->setCurrentIndex(m_occurrences->index(row));
    elsewhere().scrollTo(m_occurrences->index(row));
}

void RegionsPane::showSelection(const std::vector<NodeRef>& selected)
{
    m_selectedInRun = selected;
    if (m_main != nullptr)
        m_main->showSelection(selected, m_main->representativesFor(document().marks().selection().source));
    if (group() == nullptr)
        return;
    // A selection in a region of another group changes the card.
    if (const auto other = groupOfSelection(); isFollowing() && other && *other != card()->group) {
        if (const int row = m_ui->side->cardModel().rowOf(*other); row >= 0)
            m_ui->side->choose(row); // calls showSelection() again
        return;
    }
    m_selected.clear();
    std::optional<std::size_t> occurrence;
    const std::optional<EdgeEnds> edge = document().marks().selectedEdgeIn(0, document().snapshot()->program.root);
    const std::optional<EdgePlace> edgePlace = edge ? placeOf(*edge) : std::nullopt;
    if (edgePlace)
        occurrence = edgePlace->at.occurrence;
    for (const NodeId id : document().marks().selection().source) {
        const auto at = m_index.at(id);
        if (!at || at->group != card()->group)
            continue;
        occurrence = occurrence.value_or(at->occurrence);
        if (*occurrence == at->occurrence)
            m_selected.push_back(at->place);
    }
    if (occurrence && m_occurrences->order().rowOf(*occurrence) != currentRow())
        setCurrentRow(m_occurrences->order().rowOf(*occurrence));
    if (m_selected.size() == group()->length)
        m_selected.clear(); // the whole region, not particular places
    m_graph->showSelected(m_selected);
    if (!edgePlace)
        m_graph->canvas().setSelectedEdge({});
    else if (edgePlace->isReader)
        m_graph->showEdge(document().graph(), *edge, edgePlace->at.place);
    else
        m_graph->showOutput(edgePlace->at.place);
    showPlace();
    refreshGraphTags();
}

void RegionsPane::showHovered(const std::vector<NodeRef>& hovered)
{
    if (m_main != nullptr)
        m_main->showHovered(hovered);
    if (group() == nullptr)
        return;
    Here here = hereOf(document().marks().hovered());
    m_occurrences->setLit(here.occurrences);
    if (m_hovered.empty() && here.places.empty())
        return; // nothing to change: the mouse is elsewhere
    m_hovered = std::move(here.places);
    m_graph->showHovered(m_hovered.size() == group()->length ? std::vector<std::size_t>() : m_hovered);
    showPlace();
}

/// Sets the place that the rows show: the hovered one, or else the selected one.
void RegionsPane::showPlace()
{
    std::optional<std::size_t> place;
    if (m_hovered.size() == 1)
        place = m_hovered.front();
    else if (m_selected.size() == 1)
        place = m_selected.front();
    m_occurrences->setPlace(place);
    const QString& around = m_occurrences->around();
    m_elsewhere->setPlace(place ? tr("ops like %1").arg(text(document().graph()[group()->region(0)[*place]].name))
                              : around.isEmpty() ? countText(group()->regionCount(), "occurrence")
                                                 : tr("%1 in %2").arg(group()->regionCount()).arg(around));
}

void RegionsPane::showFound()
{
    if (group() != nullptr)
        m_graph->showFound(hereOf(document().marks().found()).places);
}

void RegionsPane::reveal()
{
    if (m_picking)
        return;
    std::vector<NodeId> nodes;
    for (const std::size_t place : m_selected)
        if (const NodeId id = m_graph->nodeAt(place))
            nodes.push_back(id);
    if (!nodes.empty())
        m_graph->showNodes(nodes);
    if (m_main != nullptr && !m_main->isPicking())
        m_main->reveal();
    if (m_ui->rail->currentIndex().isValid()) {
        m_ui->rail->scrollTo(m_ui->rail->currentIndex());
        elsewhere().scrollTo(elsewhere().currentIndex());
    }
}

} // namespace sunder
