#pragma once

#include "canvas/picture_looks.h"
#include "layout/picture/picture_index.h"

#include <memory>
#include <optional>
#include <span>

namespace sunder {

/// A picture with its style and cached data derived from both. Data derived from the style is computed on demand, so that several
/// changes of the style cost one computation.
class CanvasScene final {
public:
    CanvasScene();
    CanvasScene(const CanvasScene&) = delete; // PictureLooks refers to picture and style
    CanvasScene& operator=(const CanvasScene&) = delete;

    /// Sets the picture; null is an empty picture.
    void setPicture(ScenePicturePtr picture);
    [[nodiscard]] const Picture& picture() const { return *m_picture->picture; }
    [[nodiscard]] const ScenePicturePtr& sharedPicture() const { return m_picture; }
    [[nodiscard]] bool isEmpty() const { return picture().items.empty(); }

    [[nodiscard]] const PictureStyle& style() const { return m_style; }
    /// Returns the style for changes; the looks are computed again afterward.
    [[nodiscard]] PictureStyle& editStyle();
    [[nodiscard]] const PictureLooks& looks() const;
    /// The closed items with a ring, in picture order.
    [[nodiscard]] const std::vector<ItemId>& ringed() const;
    [[nodiscard]] const PictureIndex& index() const { return m_picture->index; }
    /// Changes with every change of picture or style.
    [[nodiscard]] std::uint64_t revision() const { return m_revision; }

    [[nodiscard]] const Item& item(ItemId id) const { return picture().items[id.index()]; }
    [[nodiscard]] const PictureTables& tables() const { return m_picture->tables; }
    [[nodiscard]] Rect bounds() const { return {0, 0, picture().size.width, picture().size.height}; }
    /// The indices of edges that end or start at an item.
    [[nodiscard]] std::span<const std::uint32_t> edgesInto(ItemId id) const { return m_picture->tables.edgesInto(id); }
    [[nodiscard]] std::span<const std::uint32_t> edgesFrom(ItemId id) const { return m_picture->tables.edgesFrom(id); }
    /// Returns the item that shows the node; invalid if there is none.
    [[nodiscard]] ItemId itemOf(NodeId node) const { return sunder::itemOf(picture(), node); }
    /// Returns the item with this key; invalid if there is none. O(items).
    [[nodiscard]] ItemId itemWithKey(const std::string& key) const;
    /// Returns the closed items that touch an area, in drawing order.
    [[nodiscard]] std::vector<ItemId> closedItemsIn(const Rect& area) const;
    /// Returns the bounding box of the items that show these nodes; nothing if none does.
    [[nodiscard]] std::optional<Rect> boundsOf(std::span<const NodeId> nodes) const;
    /// Returns the nodes of several items without duplicates.
    [[nodiscard]] std::vector<NodeId> nodesOf(std::span<const ItemId> items) const;

private:
    void forget();

    ScenePicturePtr m_picture; ///< never null
    PictureStyle m_style;
    mutable std::optional<PictureLooks> m_looks; ///< empty: style or picture changed
    mutable std::optional<std::vector<ItemId>> m_ringed; ///< empty: style or picture changed
    std::uint64_t m_revision = 0;
};

} // namespace sunder
