#pragma once

#include "canvas/canvas_scene.h"
#include "canvas/paint_context.h"

#include <QPainter>
#include <QPainterPath>
#include <span>

namespace sunder {

/// An arrow at an edge of the view that points to ringed items beyond it.
struct EdgeArrow {
    enum class Side : std::uint8_t { top, right, bottom, left } side = Side::top;
    QRectF rect;             ///< in view coordinates
    std::uint32_t count = 0; ///< items beyond the edge
    ItemId nearest;          ///< nearest of them
};

/// Returns arrows for ringed items outside the view. They avoid `covered`, a corner of the view that is covered by something
/// else. O(ringed items).
std::vector<EdgeArrow> edgeArrows(const CanvasScene& scene, const Camera& camera, const QRectF& view, const QRectF& covered = {});
void paintEdgeArrows(QPainter& painter, const Theme& theme, const std::vector<EdgeArrow>& arrows);
/// Returns e.g. "3 marked above".
QString textOf(const EdgeArrow& arrow);

/// Returns the next or previous ringed item in reading order (row by row), wrapping around; from no item, the first. Invalid if
/// no item is ringed. O(ringed items).
ItemId nextRinged(const CanvasScene& scene, ItemId from, bool forward);

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
