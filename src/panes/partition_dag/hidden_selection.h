#pragma once

#include <QRectF>

#include <array>
#include <span>

class QFont;
class QPainter;

namespace sunder {

struct Theme;

/// Selected ops whose boxes are out of sight above or below a DAG: a chip at that edge says how many, and leads to the
/// nearest of their boxes.
class HiddenSelection final {
public:
    /// `boxes`: where each is in the view, from top to bottom. `selectedOps`: how many of each are selected.
    HiddenSelection(std::span<const QRectF> boxes, std::span<const std::size_t> selectedOps, QSizeF view);

    [[nodiscard]] std::size_t above() const { return m_edges[0].ops; }
    [[nodiscard]] std::size_t below() const { return m_edges[1].ops; }
    /// The box that a click there leads to, −1 beside the chips.
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
