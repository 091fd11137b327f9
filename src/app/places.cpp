#include "app/places.h"

#include "panes/graph_view.h"
#include "panes/source_pane.h"

namespace sunder {
namespace {
constexpr std::size_t kMostPlaces = 100;
} // namespace

Places::Places(Document& document, SourcePane& source, QObject* parent) : QObject(parent), m_document(document), m_source(source)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program)) {
            m_places.clear();
            m_at = 0;
            emit changed();
        } else if (what.testFlag(Change::selection) && !m_going) {
            note();
        }
    });
}

void Places::note()
{
    const Selection& selection = m_document.selection();
    if (selection.source.empty() || (!m_places.empty() && m_places[m_at].nodes == selection.source))
        return;
    if (!m_places.empty())
        m_places.resize(m_at + 1); // what lay ahead is gone
    m_places.push_back({selection.source, selection.what});
    if (m_places.size() > kMostPlaces)
        m_places.erase(m_places.begin());
    m_at = m_places.size() - 1;
    emit changed();
}

void Places::back()
{
    if (!canGoBack())
        return;
    --m_at;
    go();
}

void Places::forward()
{
    if (!canGoForward())
        return;
    ++m_at;
    go();
}

void Places::go()
{
    m_going = true;
    const Place place = m_places[m_at];
    m_document.select(place.nodes, place.what);
    if (place.nodes.size() == 1)
        m_source.view().openTowards({}, place.nodes);
    else
        m_source.view().showNodes(place.nodes);
    m_going = false;
    emit changed();
}

} // namespace sunder
