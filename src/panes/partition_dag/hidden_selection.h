#pragma once

#include <QRectF>

#include <array>
#include <span>

class QFont;
class QPainter;

namespace sunder {

struct Theme;

/// Counts the selected ops whose boxes are above or below the visible part of a DAG. A chip at that edge shows their number and
/// leads to the nearest of these boxes.
class HiddenSelection final {
public:
    /// `boxes`: rectangles of the boxes in the view, from top to bottom. `selectedOps`: number of selected ops per box.
    HiddenSelection(std::span<const QRectF> boxes, std::span<const std::size_t> selectedOps, QSizeF view);

    [[nodiscard]] std::size_t above() const { return m_edges[0].ops; }
    [[nodiscard]] std::size_t below() const { return m_edges[1].ops; }
    /// Returns the box that a click at this point leads to; −1 outside the chips.
    [[nodiscard]] int boxAt(QPointF view) const;
    void paint(QPainter& painter, const Theme& theme, const QFont& font) const;

private:
    struct Edge {
        std::size_t ops = 0;
        int nearest = -1; ///< box
        QRectF chip;
    };
    std::array<Edge, 2> m_edges; ///< upper, lower
};

} // namespace sunder
