#pragma once

#include "layout/picture/picture.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Finds what lies at a place of a picture: a uniform grid over its items and edges. Built in O(items + cells they
/// cover); a query costs what it returns. The picture must outlive it.
class PictureIndex final {
public:
    PictureIndex() = default;
    explicit PictureIndex(const Picture& picture);

    /// Indices of items that touch `area`, in drawing order.
    [[nodiscard]] std::vector<std::uint32_t> itemsIn(const Rect& area) const;
    /// Indices of edges whose bounds touch `area`, ascending.
    [[nodiscard]] std::vector<std::uint32_t> edgesIn(const Rect& area) const;
    /// The topmost item at a point: the innermost one. Invalid when there is none. Chips belong to their item.
    [[nodiscard]] ItemId itemAt(Point point) const;
    /// The edge nearest to a point, at most `distance` away; -1 when there is none.
    [[nodiscard]] std::int64_t edgeAt(Point point, float distance) const;
    /// Box around an edge's control points.
    [[nodiscard]] const Rect& edgeBounds(std::uint32_t edge) const { return m_edgeBounds[edge]; }

private:
    /// Which boxes touch which cell, as one table of begins and one of indices.
    struct Grid {
        std::vector<std::uint32_t> begin;
        std::vector<std::uint32_t> boxes;
        std::vector<std::uint32_t> large; ///< boxes over many cells, tested one by one
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
    std::vector<Rect> m_itemBounds; ///< with chips
    std::vector<Rect> m_edgeBounds;
    Grid m_items;
    Grid m_edges;
};

/// The least box around both.
Rect united(const Rect& a, const Rect& b);

/// Grown by `by` on every side.
Rect grown(const Rect& rect, float by);

/// A point of one cubic piece, `t` in 0 … 1. `piece` counts the curves of the path.
Point pointAt(const BezierPath& path, std::size_t piece, float t);

} // namespace sunder
