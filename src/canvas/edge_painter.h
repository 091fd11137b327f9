#pragma once

#include "canvas/paint_context.h"

#include <QPainterPath>

#include <span>

namespace sunder {

/// Paints edges: thin curves with arrowheads, straight lines at small zooms, and backward edges as red dashed lines.
class EdgePainter final {
public:
    EdgePainter(QPainter& painter, const PaintContext& context) : m_painter(painter), m_context(context) {}

    /// Paints edges by index, all in the same gray; omits edges covered by backward routes.
    void paint(std::span<const std::uint32_t> edges);
    /// Paints the backward edges in red.
    void paintBackward();
    /// Paints any edge in a given color on top of the others.
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
