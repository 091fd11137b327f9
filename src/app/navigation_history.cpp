#include "app/navigation_history.h"

#include "panes/source_pane.h"

namespace sunder {
namespace {
constexpr std::size_t kMaxPlaces = 100;
} // namespace

Places::Places(Document& document, SourcePane& source, QObject* parent) : QObject(parent), m_document(document), m_source(source)
{
    connect(&document, &Document::aboutToSelect, this, [this] {
        if (!m_going)
            leave();
    });
    connect(&source.view(), &GraphView::aboutToGo, this, [this] {
        leave();
        add();
    });
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program)) {
            m_places.clear();
            m_at = 0;
            emit changed();
        } else if (what.testFlag(Change::selection) && !m_going && !m_document.selection().empty()
                   && (m_places.empty() || !isHere(m_places[m_at]))) {
            add();
        }
    });
}

Places::Place Places::here() const
{
    const Selection& selection = m_document.selection();
    return {selection.source, selection.what, selection.run == 0 ? selection.focus.node : NodeId(), selection.edge, {}};
}

bool Places::isHere(const Place& place) const
{
    const Selection& selection = m_document.selection();
    const auto endsOf = [](const std::optional<SelectedEdge>& edge) { return edge ? std::optional(edge->ends()) : std::nullopt; };
    return place.nodes == selection.source && endsOf(place.edge) == endsOf(selection.edge);
}

void Places::leave()
{
    if (m_places.empty()) // start position
        m_places.push_back(here());
    m_places[m_at].sight = m_source.view().sight();
}

void Places::add()
{
    m_places.resize(m_at + 1); // drop the forward entries
    m_places.push_back(here());
    if (m_places.size() > kMaxPlaces)
        m_places.erase(m_places.begin());
    m_at = m_places.size() - 1;
    emit changed();
}

void Places::back()
{
    if (canGoBack())
        go(m_at - 1);
}

void Places::forward()
{
    if (canGoForward())
        go(m_at + 1);
}

void Places::go(std::size_t to)
{
    m_going = true;
    leave();
    m_at = to;
    const Place place = m_places[m_at];
    if (place.edge)
        m_document.selectEdge(*place.edge);
    else
        m_document.select(place.nodes, place.what, place.focus);
    if (place.sight)
        m_source.view().restore(*place.sight);
    m_going = false;
    emit changed();
}

} // namespace sunder

#include "moc_navigation_history.cpp"
