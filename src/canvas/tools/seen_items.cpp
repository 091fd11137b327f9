#include "canvas/tools/seen_items.h"

#include <algorithm>

namespace sunder {

void SeenItems::begin(const ToolHost& host)
{
    m_seen.assign(host.scene().picture().items.size(), false);
    m_noted.reset();
    note(host);
}

void SeenItems::note(const ToolHost& host)
{
    if (m_noted == host.camera())
        return;
    m_noted = host.camera();
    for (const ItemId id : host.scene().closedItemsIn(seenScene(host)))
        m_seen[id.index()] = true;
}

std::vector<ItemId> SeenItems::in(const CanvasScene& scene, const Rect& area) const
{
    std::vector<ItemId> items = scene.closedItemsIn(area);
    std::erase_if(items, [this](ItemId id) { return id.index() >= m_seen.size() || !m_seen[id.index()]; });
    return items;
}

} // namespace sunder
