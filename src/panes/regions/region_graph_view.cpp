#include "panes/regions/region_graph_view.h"

#include "document/runs/edge_counterparts.h"

#include <algorithm>
#include <iterator>

namespace sunder {

RegionGraphView::RegionGraphView(Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : GraphView(jobs, std::move(engine), QStringLiteral("region"), parent)
{
    canvas().setTool(ToolKind::select);
    canvas().setLegendVisible(false);
    canvas().setMinimapVisible(false); // a region and its view are usually small
    connect(&canvas(), &CanvasWidget::selectionRequested, this, &RegionGraphView::pick);
    connect(&canvas(), &CanvasWidget::hovered, this,
            [this](const std::vector<NodeId>& nodes) { emit placesHovered(placesOf(nodes)); });
}

void RegionGraphView::setDetails(std::shared_ptr<const RegionDetails> details, const QString& name)
{
    m_selected.clear();
    m_placeOf.clear();
    const std::shared_ptr<const RegionDetails> before = std::exchange(m_details, std::move(details));
    if (!m_details) {
        setGraph(nullptr, {}, {});
        return;
    }
    m_placeOf.assign(m_details->program->graph(m_details->graph).idBound(), m_details->places.size());
    for (std::size_t place = 0; place < m_details->places.size(); ++place)
        if (const NodeId id = m_details->places[place])
            m_placeOf[id.index()] = place;
    setGraph({m_details, m_details->program.get()}, m_details->graph, name,
             {.within = m_details->within, .asides = m_details->shared});
    canvas().setAccessibleName(tr("Graph of %1").arg(name));
}

void RegionGraphView::setTags(const Theme& theme, std::vector<TagLook> looks, const std::vector<std::int32_t>& tags)
{
    if (!m_details)
        return;
    std::vector<std::int32_t> tagOf(m_placeOf.size(), PictureStyle::kTakesNoTag);
    for (std::size_t place = 0; place < std::min(tags.size(), m_details->places.size()); ++place)
        if (const NodeId id = m_details->places[place])
            tagOf[id.index()] = tags[place];
    canvas().setTheme(theme);
    canvas().setTags(std::move(looks), std::move(tagOf));
}

void RegionGraphView::showSelected(const std::vector<std::size_t>& places)
{
    m_selected = places;
    canvas().setSelectedNodes(nodesOf(places));
}

void RegionGraphView::showEdge(const Graph& source, const EdgeEnds& edge, std::size_t place)
{
    const NodeId reader = nodeAt(place);
    canvas().setSelectedEdge(reader ? sameEdge(source, edge, m_details->program->graph(m_details->graph), reader) : std::nullopt);
}

void RegionGraphView::showOutput(std::size_t place)
{
    std::optional<EdgeEnds> edge;
    if (const NodeId value = nodeAt(place))
        for (const NodeId user : m_details->program->graph(m_details->graph).users(value))
            if (m_details->program->graph(m_details->graph)[user].op == Op::output)
                edge = EdgeEnds{value, user};
    canvas().setSelectedEdge(edge);
}

std::optional<SelectedEdge> RegionGraphView::inSource(const SelectedEdge& edge, const Graph& source,
                                                      std::span<const NodeId> region) const
{
    const Graph& here = m_details->program->graph(m_details->graph);
    SelectedEdge same;
    for (const ValueBetween& value : edge.values) {
        ValueBetween own{.item = value.item};
        for (const NodeId reader : value.readers)
            for (const std::size_t place : placesOf({reader}))
                if (const auto ends = sameEdge(here, {value.value, reader}, source, region[place])) {
                    own.value = ends->value;
                    own.readers.push_back(ends->reader);
                }
        if (!own.value) // the edge leaves the region
            for (const std::size_t place : placesOf({value.value})) {
                own.value = region[place];
                for (const NodeId user : source.users(own.value))
                    if (std::ranges::find(region, user) == region.end())
                        own.readers.push_back(user);
            }
        if (!own.value || own.readers.empty())
            continue;
        const auto users = source.users(own.value);
        own.further = static_cast<std::size_t>(std::distance(users.begin(), users.end())) - own.readers.size();
        if (own.item && source.inputs(own.value).begin() == source.inputs(own.value).end())
            own.item.reset();
        own.producer = own.item ? *source.inputs(own.value).begin() : own.value;
        same.values.push_back(std::move(own));
    }
    return same.values.empty() ? std::nullopt : std::optional(std::move(same));
}

void RegionGraphView::showHovered(const std::vector<std::size_t>& places)
{
    canvas().setCounterparts(nodesOf(places));
}

void RegionGraphView::showFound(const std::vector<std::size_t>& places)
{
    canvas().setFoundNodes(nodesOf(places));
}

NodeId RegionGraphView::nodeAt(std::size_t place) const
{
    return m_details && place < m_details->places.size() ? m_details->places[place] : NodeId();
}

std::vector<std::size_t> RegionGraphView::placesOf(const std::vector<NodeId>& nodes) const
{
    std::vector<std::size_t> places;
    for (const NodeId id : nodes)
        if (id.index() < m_placeOf.size() && m_placeOf[id.index()] < m_details->places.size())
            places.push_back(m_placeOf[id.index()]);
    return places;
}

std::vector<NodeId> RegionGraphView::nodesOf(const std::vector<std::size_t>& places) const
{
    std::vector<NodeId> nodes;
    for (const std::size_t place : places)
        if (const NodeId id = nodeAt(place))
            nodes.push_back(id);
    return nodes;
}

void RegionGraphView::pick(const std::vector<NodeId>& nodes, SelectionMode mode)
{
    const std::vector<std::size_t> asked = placesOf(nodes);
    std::vector<std::size_t> wanted = asked;
    if (mode != SelectionMode::replace) {
        const auto isIn = [](const std::vector<std::size_t>& places, std::size_t place) {
            return std::find(places.begin(), places.end(), place) != places.end();
        };
        for (const std::size_t place : m_selected)
            if (!isIn(asked, place))
                wanted.push_back(place);
        if (mode == SelectionMode::toggle) // deselect places that were selected already
            std::erase_if(wanted, [&](std::size_t place) { return isIn(asked, place) && isIn(m_selected, place); });
    }
    emit picked(wanted);
}

} // namespace sunder

#include "moc_region_graph_view.cpp"
