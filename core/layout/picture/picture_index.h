#pragma once

#include "layout/picture/picture.h"

#include <cstdint>
#include <vector>

namespace sunder {

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

/// Returns the bounding box of both.
Rect united(const Rect& a, const Rect& b);

/// Returns the rectangle grown by `by` on every side.
Rect grown(const Rect& rect, float by);

/// Returns the point at `t` (0 … 1) of the cubic curve with index `piece`.
Point pointAt(const BezierPath& path, std::size_t piece, float t);

} // namespace sunder
