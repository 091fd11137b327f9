#include "canvas/canvas_scene.h"

namespace sunder {

CanvasScene::CanvasScene()
{
    setPicture(nullptr);
}

void CanvasScene::setPicture(ScenePicturePtr picture)
{
    static const ScenePicturePtr empty = std::make_shared<const ScenePicture>(std::make_shared<const Picture>());
    m_picture = picture != nullptr ? std::move(picture) : empty;
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
        m_looks = PictureLooks(picture(), m_picture->tables, m_style);
        m_looksFresh = true;
    }
    return m_looks;
}

ItemId CanvasScene::itemWithKey(const std::string& key) const
{
    if (key.empty())
        return {};
    for (std::uint32_t i = 0; i < picture().items.size(); ++i)
        if (picture().items[i].key == key)
            return ItemId(i);
    return {};
}

std::vector<ItemId> CanvasScene::closedItemsIn(const Rect& area) const
{
    std::vector<ItemId> items;
    for (const std::uint32_t i : index().itemsIn(area)) {
        const Item& item = picture().items[i];
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
            bounds = bounds ? united(*bounds, tables().rectOf(id)) : tables().rectOf(id);
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
