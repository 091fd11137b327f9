#pragma once

#include "layout/picture/picture.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sunder {

/// Properties of a picture's items as flat tables, so that lookups among a million items do not access the items themselves.
/// Built in O(items + edges) plus sorting of frames.
class PictureTables final {
public:
    PictureTables() = default;
    explicit PictureTables(const Picture& picture);

    [[nodiscard]] std::size_t size() const { return m_nodes.begin.empty() ? 0 : m_nodes.begin.size() - 1; }
    [[nodiscard]] const Rect& rectOf(ItemId id) const { return m_rects[id.index()]; }
    [[nodiscard]] bool isFrame(ItemId id) const { return m_frames[id.index()] != 0; }
    /// Frames in descending order of size.
    [[nodiscard]] std::span<const ItemId> framesBySize() const { return m_framesBySize; }
    /// Nodes that the item shows.
    [[nodiscard]] std::span<const NodeId> nodesOf(ItemId id) const { return m_nodes.of(id); }
    /// Indices of edges that end or begin at an item, ascending.
    [[nodiscard]] std::span<const std::uint32_t> edgesInto(ItemId id) const { return m_into.of(id); }
    [[nodiscard]] std::span<const std::uint32_t> edgesFrom(ItemId id) const { return m_from.of(id); }

private:
    /// A sequence of values per item.
    template <typename T>
    struct Runs {
        std::vector<std::uint32_t> begin;
        std::vector<T> values;
        [[nodiscard]] std::span<const T> of(ItemId id) const
        {
            return std::span(values).subspan(begin[id.index()], begin[id.index() + 1] - begin[id.index()]);
        }
    };
    static Runs<std::uint32_t> edgesBy(const Picture& picture, ItemId PictureEdge::* end);

    std::vector<Rect> m_rects;
    std::vector<std::uint8_t> m_frames;
    std::vector<ItemId> m_framesBySize;
    Runs<NodeId> m_nodes;
    Runs<std::uint32_t> m_into;
    Runs<std::uint32_t> m_from;
};

/// Finds items and edges by position, with a uniform grid. Built in O(items + covered cells); the cost of a query is proportional
/// to its result. The picture must outlive the index.
class PictureIndex final {
public:
    PictureIndex() = default;
    explicit PictureIndex(const Picture& picture);

    /// Indices of items that touch `area`, in drawing order.
    [[nodiscard]] std::vector<std::uint32_t> itemsIn(const Rect& area) const;
    /// Indices of edges whose bounds touch `area`, ascending.
    [[nodiscard]] std::vector<std::uint32_t> edgesIn(const Rect& area) const;
    /// Returns the topmost (innermost) item at a point; invalid if there is none. Chips belong to their item.
    [[nodiscard]] ItemId itemAt(Point point) const;
    /// Returns the edge closest to a point, at most `distance` away; -1 if there is none.
    [[nodiscard]] std::int64_t edgeAt(Point point, float distance) const;
    /// Bounding box of an edge's control points.
    [[nodiscard]] const Rect& edgeBounds(std::uint32_t edge) const { return m_edgeBounds[edge]; }

private:
    /// The boxes that touch each cell, as a table of starts and a table of indices.
    struct Grid {
        std::vector<std::uint32_t> begin;
        std::vector<std::uint32_t> boxes;
        std::vector<std::uint32_t> large; ///< boxes over many cells, which are tested one by one
    };
    struct CellRange {
        std::uint32_t left, top, right, bottom; ///< inclusive
    };

    [[nodiscard]] CellRange cellsOf(const Rect& area) const;
    [[nodiscard]] Grid gridOf(const std::vector<Rect>& boxes) const;
    [[nodiscard]] std::vector<std::uint32_t> query(const Grid& grid, const std::vector<Rect>& boxes, const Rect& area) const;

    const Picture* m_picture = nullptr;
    float m_cell = 1;
    std::uint32_t m_columns = 1;
    std::uint32_t m_rows = 1;
    std::vector<Rect> m_itemBounds; ///< including chips
    std::vector<Rect> m_edgeBounds;
    Grid m_items;
    Grid m_edges;
};

/// A picture with all the lookup structures of a canvas. Immutable: a large graph is drawn in the background, and canvases share
/// the result.
struct ScenePicture {
    explicit ScenePicture(std::shared_ptr<const Picture> drawn) : picture(std::move(drawn)), index(*picture), tables(*picture) {}

    std::shared_ptr<const Picture> picture; ///< never null
    PictureIndex index;
    PictureTables tables;
};

using ScenePicturePtr = std::shared_ptr<const ScenePicture>;

/// Returns null for null. O(items + edges).
inline ScenePicturePtr scenePictureOf(std::shared_ptr<const Picture> picture)
{
    return picture == nullptr ? nullptr : std::make_shared<const ScenePicture>(std::move(picture));
}

/// Returns the bounding box of both.
Rect united(const Rect& a, const Rect& b);

/// Returns the rectangle grown by `by` on every side.
Rect grown(const Rect& rect, float by);

/// Returns the point at `t` (0 … 1) of the cubic curve with index `piece`.
Point pointAt(const BezierPath& path, std::size_t piece, float t);

} // namespace sunder
