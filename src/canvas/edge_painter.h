#pragma once

#include "canvas/paint_context.h"

#include <QPainterPath>

#include <span>

namespace sunder {

/// Paints dependencies: thin curves with arrow heads, straight lines when far out, and the red dashed ones that the
/// tags turn round.
class EdgePainter final {
public:
    EdgePainter(QPainter& painter, const PaintContext& context) : m_painter(painter), m_context(context) {}

    /// Edges by index, all in the same grey; those that backward routes cover are left out.
    void paint(std::span<const std::uint32_t> edges);
    /// The red ones.
    void paintBackward();
    /// Any edge in a colour of its own, on top of what is there.
    void paintOne(const BezierPath& path, const QColor& color, double width);

private:
    void paintCurves(std::span<const std::uint32_t> edges);
    void paintLines(std::span<const std::uint32_t> edges, bool smooth);
    [[nodiscard]] QPainterPath viewPath(const BezierPath& path) const;
    void addHead(QPainterPath& heads, const BezierPath& path, double size) const;

    QPainter& m_painter;
    const PaintContext& m_context;
};

} // namespace sunder
