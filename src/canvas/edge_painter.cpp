#include "canvas/edge_painter.h"

#include "layout/picture/picture_index.h"

#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr double kWidth = 1.1;
constexpr double kThin = 0.6; ///< relative width of edges between columns
constexpr double kHead = 6.5;
/// Minimum length of drawn pieces in pixels, for few and for many edges.
constexpr double kMinPiece = 1;
constexpr double kMinOfMany = 3;
/// Below this zoom, a curve with its head looks like a line.
constexpr double kCurveZoom = 0.3;
/// Smooth curves cost about 8 µs each, plain lines 0.1 µs.
constexpr std::size_t kMaxCurves = 1500;
constexpr std::size_t kMaxSmoothLines = 2500;

} // namespace

QPainterPath EdgePainter::viewPath(const BezierPath& path) const
{
    const Camera& camera = m_context.camera;
    QPainterPath curve(camera.toView(path.front()));
    for (std::size_t i = 1; i + 2 < path.size(); i += 3)
        curve.cubicTo(camera.toView(path[i]), camera.toView(path[i + 1]), camera.toView(path[i + 2]));
    return curve;
}

void EdgePainter::addHead(QPainterPath& heads, const BezierPath& path, double size) const
{
    const QPointF tip = m_context.camera.toView(path.back());
    // The direction at the tip: from the last control point that differs from the tip.
    QPointF from = tip;
    for (std::size_t back = 2; back <= path.size() && QPointF(tip - from).manhattanLength() < 0.5; ++back)
        from = m_context.camera.toView(path[path.size() - back]);
    const QPointF along = tip - from;
    const double length = std::hypot(along.x(), along.y());
    if (length < 0.01)
        return;
    const QPointF unit = along / length;
    const QPointF across(-unit.y(), unit.x());
    heads.moveTo(tip);
    heads.lineTo(tip - unit * size + across * size * 0.42);
    heads.lineTo(tip - unit * size - across * size * 0.42);
    heads.closeSubpath();
}

void EdgePainter::paint(std::span<const std::uint32_t> edges)
{
    const double zoom = m_context.zoom();
    if (m_context.vector || (zoom >= kCurveZoom && edges.size() <= kMaxCurves))
        paintCurves(edges);
    else
        paintLines(edges, edges.size() <= kMaxSmoothLines);
}

void EdgePainter::paintCurves(std::span<const std::uint32_t> edges)
{
    const QColor color = m_context.theme().edge;
    const double zoom = m_context.zoom();
    const double width = std::clamp(kWidth * zoom, 0.7, 2.2);
    bool isThin = false;
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    m_painter.setPen(QPen(color, width));
    m_painter.setBrush(Qt::NoBrush);
    QPainterPath heads;
    heads.setFillRule(Qt::WindingFill);
    for (const std::uint32_t edge : edges) {
        const BezierPath& path = m_context.picture.edges[edge].path;
        if (path.size() < 4 || m_context.looks.isBackward(edge))
            continue;
        if (m_context.picture.edges[edge].isCut != isThin) {
            isThin = !isThin;
            m_painter.setPen(QPen(color, isThin ? width * kThin : width));
        }
        m_painter.drawPath(viewPath(path));
        addHead(heads, path, std::max(kHead * zoom, 3.5));
    }
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color);
    m_painter.drawPath(heads);
}

void EdgePainter::paintLines(std::span<const std::uint32_t> edges, bool smooth)
{
    QVector<QLineF> lines;
    lines.reserve(static_cast<qsizetype>(edges.size()));
    const Camera& camera = m_context.camera;
    for (const std::uint32_t edge : edges) {
        const BezierPath& path = m_context.picture.edges[edge].path;
        if (path.size() < 4 || m_context.looks.isBackward(edge))
            continue;
        for (std::size_t piece = 0; 3 * piece + 3 < path.size(); ++piece) {
            const QPointF from = camera.toView(path[3 * piece]);
            const QPointF to = camera.toView(path[3 * piece + 3]);
            const double length = QPointF(to - from).manhattanLength();
            if (length < (smooth ? kMinPiece : kMinOfMany))
                continue;
            if (length < 24) {
                lines.append({from, to});
                continue;
            }
            const int steps = length < 120 ? 4 : 10;
            QPointF previous = from;
            for (int step = 1; step <= steps; ++step) {
                const QPointF next = camera.toView(pointAt(path, piece, static_cast<float>(step) / static_cast<float>(steps)));
                lines.append({previous, next});
                previous = next;
            }
        }
    }
    const Theme& theme = m_context.theme();
    m_painter.setRenderHint(QPainter::Antialiasing, smooth);
    m_painter.setPen(QPen(theme.edge, smooth ? 0.8 : 0));
    m_painter.drawLines(lines);
}

void EdgePainter::paintOne(const BezierPath& path, const QColor& color, double width)
{
    if (path.size() < 4)
        return;
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    m_painter.setPen(QPen(color, width));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPath(viewPath(path));
    QPainterPath head;
    addHead(head, path, std::max(kHead * m_context.zoom(), 4.0) + width);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color);
    m_painter.drawPath(head);
}

void EdgePainter::paintBackward()
{
    const QColor color = m_context.theme().error;
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    for (const PictureLooks::BackwardRoute& route : m_context.looks.backward()) {
        const QPainterPath path = viewPath(route.path);
        if (!path.controlPointRect().adjusted(-12, -12, 12, 12).intersects(m_context.view))
            continue;
        QPen pen(color, std::clamp(2.2 * m_context.zoom(), 1.5, 3.0));
        pen.setDashPattern({3, 2});
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPath(path);
        QPainterPath head;
        addHead(head, route.path, std::max(11 * m_context.zoom(), 6.0));
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color);
        m_painter.drawPath(head);
    }
}

} // namespace sunder
