#include "canvas/canvas_scene.h"

#include <algorithm>

namespace sunder {

CanvasScene::CanvasScene()
{
    setPicture(nullptr);
}

void CanvasScene::setPicture(ScenePicturePtr picture)
{
    static const ScenePicturePtr empty = std::make_shared<const ScenePicture>(std::make_shared<const Picture>());
    m_picture = picture != nullptr ? std::move(picture) : empty;
    forget();
}

PictureStyle& CanvasScene::editStyle()
{
    forget();
    return m_style;
}

void CanvasScene::forget()
{
    m_looks.reset();
    m_ringed.reset();
    ++m_revision;
}

const PictureLooks& CanvasScene::looks() const
{
    if (!m_looks)
        m_looks.emplace(picture(), m_picture->tables, m_style);
    return *m_looks;
}

const std::vector<ItemId>& CanvasScene::ringed() const
{
    if (m_ringed)
        return *m_ringed;
    m_ringed.emplace();
    if (m_style.counterparts.empty() && m_style.selected.empty() && m_style.found.empty())
        return *m_ringed;
    const auto isRinged = [this](NodeId node) {
        return m_style.selected.contains(node) || m_style.found.contains(node) || m_style.counterparts.contains(node);
    };
    for (std::uint32_t i = 0; i < tables().size(); ++i)
        if (const ItemId item(i); !tables().isFrame(item) && std::ranges::any_of(tables().nodesOf(item), isRinged))
            m_ringed->push_back(item);
    return *m_ringed;
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
        // The index includes chips, which are outside the item's box.
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
