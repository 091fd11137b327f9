#pragma once

#include "canvas/picture_looks.h"
#include "layout/picture/scene_picture.h"

#include <memory>
#include <optional>
#include <span>

namespace sunder {

/// A picture with its style and everything derived from the two that a canvas asks for again and again. What is
/// derived from the style is made when asked for, so that several changes cost one.
class CanvasScene final {
public:
    CanvasScene();
    CanvasScene(const CanvasScene&) = delete; // looks know where picture and style are
    CanvasScene& operator=(const CanvasScene&) = delete;

    /// Null is an empty picture.
    void setPicture(ScenePicturePtr picture);
    [[nodiscard]] const Picture& picture() const { return *m_picture->picture; }
    [[nodiscard]] const ScenePicturePtr& sharedPicture() const { return m_picture; }
    [[nodiscard]] bool isEmpty() const { return picture().items.empty(); }

    [[nodiscard]] const PictureStyle& style() const { return m_style; }
    /// For changes; looks are made anew afterwards.
    [[nodiscard]] PictureStyle& editStyle();
    [[nodiscard]] const PictureLooks& looks() const;
    /// Closed items with a ring around them, in the picture's order.
    [[nodiscard]] const std::vector<ItemId>& ringed() const;
    [[nodiscard]] const PictureIndex& index() const { return m_picture->index; }
    /// Changes whenever picture or style do.
    [[nodiscard]] std::uint64_t revision() const { return m_revision; }

    [[nodiscard]] const Item& item(ItemId id) const { return picture().items[id.index()]; }
    [[nodiscard]] const PictureTables& tables() const { return m_picture->tables; }
    [[nodiscard]] Rect bounds() const { return {0, 0, picture().size.width, picture().size.height}; }
    /// Indices of edges that end or begin at an item.
    [[nodiscard]] std::span<const std::uint32_t> edgesInto(ItemId id) const { return m_picture->tables.edgesInto(id); }
    [[nodiscard]] std::span<const std::uint32_t> edgesFrom(ItemId id) const { return m_picture->tables.edgesFrom(id); }
    /// The item that shows the node; invalid when none does.
    [[nodiscard]] ItemId itemOf(NodeId node) const { return sunder::itemOf(picture(), node); }
    /// The item with that key; invalid when there is none. O(items).
    [[nodiscard]] ItemId itemWithKey(const std::string& key) const;
    /// Closed items that touch an area, in drawing order.
    [[nodiscard]] std::vector<ItemId> closedItemsIn(const Rect& area) const;
    /// Box around the items that show these nodes; empty when none does.
    [[nodiscard]] std::optional<Rect> boundsOf(std::span<const NodeId> nodes) const;
    /// Nodes of several items, each once.
    [[nodiscard]] std::vector<NodeId> nodesOf(std::span<const ItemId> items) const;

private:
    void forget();

    ScenePicturePtr m_picture; ///< never null
    PictureStyle m_style;
    mutable std::optional<PictureLooks> m_looks;        ///< none: style or picture changed since
    mutable std::optional<std::vector<ItemId>> m_ringed; ///< likewise
    std::uint64_t m_revision = 0;
};

} // namespace sunder
