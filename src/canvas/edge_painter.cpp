#include "canvas/edge_painter.h"

#include "canvas/label_painter.h"
#include "layout/picture/picture_index.h"

#include <QCoreApplication>
#include <QPolygonF>
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace sunder {
namespace {

struct Outside {
    std::uint32_t count = 0;
    ItemId nearest;
    float distance = 0; ///< in the scene
};

constexpr double kHeight = 22;
constexpr double kGap = 6;

QRectF placeOf(std::size_t side, double width, const QRectF& view, const QRectF& covered)
{
    const std::array<QPointF, 4> centers = {QPointF(view.center().x(), view.top() + kHeight / 2 + kGap),
                                            QPointF(view.right() - width / 2 - kGap, view.center().y()),
                                            QPointF(view.center().x(), view.bottom() - kHeight / 2 - kGap),
                                            QPointF(view.left() + width / 2 + kGap, view.center().y())};
    QRectF place(centers[side] - QPointF(width / 2, kHeight / 2), QSizeF(width, kHeight));
    if (place.intersects(covered))
        place.moveRight(covered.left() - kGap);
    return place;
}

} // namespace

std::vector<EdgeArrow> edgeArrows(const CanvasScene& scene, const Camera& camera, const QRectF& view, const QRectF& covered)
{
    std::array<Outside, 4> sides;
    const Rect seen = camera.toScene(view);
    for (const ItemId item : scene.ringed()) {
        const Rect& at = scene.tables().rectOf(item);
        const std::array<float, 4> beyond = {seen.y - at.bottom(), at.x - seen.right(), at.y - seen.bottom(),
                                             seen.x - at.right()};
        const auto side = static_cast<std::size_t>(std::max_element(beyond.begin(), beyond.end()) - beyond.begin());
        if (beyond[side] <= 0)
            continue;
        Outside& outside = sides[side];
        if (outside.count++ == 0 || beyond[side] < outside.distance) {
            outside.nearest = item;
            outside.distance = beyond[side];
        }
    }
    std::vector<EdgeArrow> arrows;
    for (std::size_t side = 0; side < sides.size(); ++side)
        if (sides[side].count > 0) {
            const double width = 30 + LabelPainter::width(QString::number(sides[side].count), pictureFonts().code, 1.1);
            arrows.push_back({static_cast<EdgeArrow::Side>(side), placeOf(side, width, view, covered), sides[side].count,
                              sides[side].nearest});
        }
    return arrows;
}

void paintEdgeArrows(QPainter& painter, const Theme& theme, const std::vector<EdgeArrow>& arrows)
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    LabelPainter labels(painter);
    for (const EdgeArrow& arrow : arrows) {
        painter.setPen(QPen(theme.selection, 1));
        painter.setBrush(theme.panel);
        painter.drawRoundedRect(arrow.rect, kHeight / 2, kHeight / 2);
        const QPointF center(arrow.rect.left() + 13, arrow.rect.center().y());
        painter.save();
        painter.translate(center);
        painter.rotate(90.0 * static_cast<int>(arrow.side));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.selection);
        painter.drawPolygon(QPolygonF({QPointF(0, -5), QPointF(5, 4), QPointF(-5, 4)}));
        painter.restore();
        labels.paint(QString::number(arrow.count), pictureFonts().code, 1.1,
                     {arrow.rect.left() + 22, arrow.rect.center().y() + 4}, arrow.rect.width(),
                     readable(theme.selection, theme.panel));
    }
}

QString textOf(const EdgeArrow& arrow)
{
    const auto say = [](const char* text) { return QCoreApplication::translate("EdgeArrow", text); };
    QString text;
    switch (arrow.side) {
    case EdgeArrow::Side::top: text = say("%1 marked above"); break;
    case EdgeArrow::Side::right: text = say("%1 marked on the right"); break;
    case EdgeArrow::Side::bottom: text = say("%1 marked below"); break;
    case EdgeArrow::Side::left: text = say("%1 marked on the left"); break;
    }
    return text.arg(arrow.count);
}

ItemId nextRinged(const CanvasScene& scene, ItemId from, bool forward)
{
    const auto placeOfItem = [&](ItemId item) {
        const Rect& rect = scene.item(item).rect;
        return std::tuple(rect.y, rect.x, item.index());
    };
    ItemId first; // first of all in that direction
    ItemId next;
    for (const ItemId item : scene.ringed()) {
        const auto isBefore = [&](ItemId a, ItemId b) {
            return forward ? placeOfItem(a) < placeOfItem(b) : placeOfItem(b) < placeOfItem(a);
        };
        if (!first || isBefore(item, first))
            first = item;
        if (from && isBefore(from, item) && (!next || isBefore(item, next)))
            next = item;
    }
    return next ? next : first;
}

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
