#include "canvas/canvas_scene.h"

namespace sunder {

CanvasScene::CanvasScene()
{
    setPicture(nullptr);
}

void CanvasScene::setPicture(std::shared_ptr<const Picture> picture)
{
    m_picture = picture != nullptr ? std::move(picture) : std::make_shared<const Picture>();
    m_index = PictureIndex(*m_picture);
    m_into = adjacency(&PictureEdge::to);
    m_from = adjacency(&PictureEdge::from);
    m_looksFresh = false;
    ++m_revision;
}

PictureStyle& CanvasScene::editStyle()
{
    m_looksFresh = false;
    ++m_revision;
    return m_style;
}

const PictureLooks& CanvasScene::looks() const
{
    if (!m_looksFresh) {
        m_looks = PictureLooks(*m_picture, m_style);
        m_looksFresh = true;
    }
    return m_looks;
}

CanvasScene::Adjacency CanvasScene::adjacency(ItemId PictureEdge::*end) const
{
    Adjacency table;
    table.begin.assign(m_picture->items.size() + 1, 0);
    for (const PictureEdge& edge : m_picture->edges)
        ++table.begin[(edge.*end).index() + 1];
    for (std::size_t i = 1; i < table.begin.size(); ++i)
        table.begin[i] += table.begin[i - 1];
    table.edges.resize(m_picture->edges.size());
    std::vector<std::uint32_t> next(table.begin);
    for (std::uint32_t i = 0; i < m_picture->edges.size(); ++i)
        table.edges[next[(m_picture->edges[i].*end).index()]++] = i;
    return table;
}

ItemId CanvasScene::itemWithKey(const std::string& key) const
{
    if (key.empty())
        return {};
    for (std::uint32_t i = 0; i < m_picture->items.size(); ++i)
        if (m_picture->items[i].key == key)
            return ItemId(i);
    return {};
}

std::vector<ItemId> CanvasScene::closedItemsIn(const Rect& area) const
{
    std::vector<ItemId> items;
    for (const std::uint32_t i : m_index.itemsIn(area)) {
        const Item& item = m_picture->items[i];
        // The index knows chips too, which are not the item's own body.
        if (item.kind != ItemKind::frame && item.rect.intersects(area))
            items.emplace_back(i);
    }
    return items;
}

std::optional<Rect> CanvasScene::boundsOf(std::span<const NodeId> nodes) const
{
    std::optional<Rect> bounds;
    for (const NodeId node : nodes)
        if (const ItemId id = itemOf(node))
            bounds = bounds ? united(*bounds, item(id).rect) : item(id).rect;
    return bounds;
}

std::vector<NodeId> CanvasScene::nodesOf(std::span<const ItemId> items) const
{
    NodeSet seen;
    std::vector<NodeId> nodes;
    for (const ItemId id : items)
        for (const NodeId node : item(id).nodes)
            if (seen.insert(node))
                nodes.push_back(node);
    return nodes;
}

} // namespace sunder
