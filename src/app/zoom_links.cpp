#include "app/zoom_links.h"

#include "panes/graph_view.h"
#include "panes/pane.h"

#include <QMenu>
#include <QSettings>

#include <algorithm>

namespace sunder {
namespace {
const QString kPairsKey = QStringLiteral("link/zoom");
} // namespace

ZoomLinks::ZoomLinks(QObject* parent) : QObject(parent), m_pairs(QSettings().value(kPairsKey).toStringList()) {}

void ZoomLinks::add(Pane& pane, const QString& name)
{
    m_panes.push_back({&pane, name});
    pane.rememberLinkAs(name);
    listAllPeers();
    connect(&pane, &Pane::zoomChosen, this, [this, &pane](double zoom) { this->zoom(pane, zoom); });
    connect(&pane, &Pane::graphShown, this, [this, &pane] { takeZoom(pane); });
    connect(pane.linkButton().menu(), &QMenu::aboutToShow, this, [this, &pane] { listPeers(entryOf(pane)); });
    connect(&pane.linkButton(), &LinkButton::lockToggled, this, [this, &pane](int peer, bool isLocked) {
        setLocked(pane, *entryOf(pane).listed[static_cast<std::size_t>(peer)], isLocked);
    });
}

ZoomLinks::Entry& ZoomLinks::entryOf(const Pane& pane)
{
    return *std::find_if(m_panes.begin(), m_panes.end(), [&](const Entry& entry) { return entry.pane == &pane; });
}

QString ZoomLinks::pairOf(const Pane& one, const Pane& other) const
{
    QStringList names;
    for (const Entry& entry : m_panes)
        if (entry.pane == &one || entry.pane == &other)
            names << entry.name;
    names.sort();
    return names.join(QLatin1Char('+'));
}

bool ZoomLinks::isLocked(const Pane& pane, const Pane& other) const
{
    return &pane != &other && m_pairs.contains(pairOf(pane, other));
}

void ZoomLinks::setLocked(Pane& pane, Pane& other, bool isLocked)
{
    const QString pair = pairOf(pane, other);
    m_pairs.removeAll(pair);
    if (isLocked)
        m_pairs << pair;
    QSettings().setValue(kPairsKey, m_pairs);
    listAllPeers();
    if (const GraphView* view = pane.graphInFront(); isLocked && view != nullptr)
        zoom(pane, view->canvas().camera().zoom());
}

void ZoomLinks::listAllPeers()
{
    for (Entry& entry : m_panes)
        listPeers(entry);
}

/// Updates the list of panes in the link menu: those that show a graph and those that are linked.
void ZoomLinks::listPeers(Entry& entry)
{
    std::vector<LinkButton::Peer> peers;
    entry.listed.clear();
    for (const Entry& other : m_panes) {
        const bool locked = isLocked(*entry.pane, *other.pane);
        const bool canBe = other.pane->isVisible() && other.pane->graphInFront() != nullptr
            && entry.pane->graphInFront() != nullptr;
        if (&other == &entry || !(canBe || locked))
            continue;
        peers.push_back({other.pane->title(), locked});
        entry.listed.push_back(other.pane);
    }
    entry.pane->linkButton().setPeers(peers);
}

std::vector<Pane*> ZoomLinks::groupOf(Pane& pane) const
{
    std::vector<Pane*> group{&pane};
    for (std::size_t i = 0; i < group.size(); ++i)
        for (const Entry& entry : m_panes)
            if (isLocked(*group[i], *entry.pane) && std::find(group.begin(), group.end(), entry.pane) == group.end())
                group.push_back(entry.pane);
    group.erase(group.begin());
    return group;
}

void ZoomLinks::zoom(Pane& from, double zoom) const
{
    for (Pane* pane : groupOf(from))
        if (GraphView* view = pane->graphInFront())
            view->canvas().setZoom(zoom); // programmatic: emits no signal that would be answered
}

/// Gives a new graph in a pane the zoom of the linked panes.
void ZoomLinks::takeZoom(Pane& pane) const
{
    GraphView* view = pane.graphInFront();
    for (Pane* other : groupOf(pane))
        if (const GraphView* shown = other->graphInFront(); view != nullptr && shown != nullptr && other->isVisible()) {
            view->canvas().setZoom(shown->canvas().camera().zoom());
            return;
        }
}

} // namespace sunder

#include "moc_zoom_links.cpp"
