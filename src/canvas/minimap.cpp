#include "canvas/minimap.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr double kMargin = 12;
constexpr double kMaxWidth = 160;
constexpr double kMaxHeight = 220;
constexpr double kMinSide = 36;
constexpr double kSeenEnough = 0.7; ///< visible fraction of the picture's area above which a map is not useful
constexpr double kReadZoom = 0.3; ///< minimum zoom at which covered items are readable
constexpr double kThinOpacity = 0.45;
constexpr std::size_t kSlowItems = 20'000;

} // namespace

QRectF Minimap::rect(const CanvasScene& scene, const Camera& camera, QSizeF view) const
{
    const Rect bounds = scene.bounds();
    const QRectF picture = camera.toView(bounds);
    const QRectF seen = QRectF(QPointF(), view).intersected(picture);
    const bool seenEnough = seen.width() * seen.height() >= kSeenEnough * picture.width() * picture.height();
    if (scene.isEmpty() || seenEnough || view.width() < 260 || view.height() < 200)
        return {};
    const double mostHeight = std::min(kMaxHeight, view.height() * 0.42);
    const double mostWidth = std::min(kMaxWidth, view.width() * 0.2);
    const double zoom = std::min(mostWidth / bounds.width, mostHeight / bounds.height);
    const QSizeF size(std::clamp(bounds.width * zoom, kMinSide, mostWidth),
                      std::clamp(bounds.height * zoom, kMinSide, mostHeight));
    return {QPointF(view.width() - size.width() - kMargin, view.height() - size.height() - kMargin), size};
}

/// Returns whether readable items (ops, closed modules, chips) are below the map.
bool Minimap::covers(const QRectF& at, const CanvasScene& scene, const Camera& camera)
{
    if (camera.zoom() < kReadZoom)
        return false;
    return std::ranges::any_of(scene.index().itemsIn(camera.toScene(at)),
                               [&](std::uint32_t item) { return scene.picture().items[item].kind != ItemKind::frame; });
}

/// A small picture is rendered completely at once.
void Minimap::renew(const CanvasScene& scene, QSizeF size, double pixelRatio)
{
    if (m_shown && m_shown->isOf(scene, size, pixelRatio)) {
        m_rendering.reset();
        return;
    }
    if (!m_rendering || !m_rendering->isOf(scene, size, pixelRatio))
        m_rendering.emplace(scene, size, pixelRatio);
    while (scene.picture().items.size() <= kSlowItems && m_rendering)
        advance(scene);
}

bool Minimap::advance(const CanvasScene& scene)
{
    if (!m_rendering)
        return false;
    if (!m_rendering->isCurrent(scene)) {
        m_rendering.reset();
        return true;
    }
    if (!m_rendering->advance(scene))
        return false;
    m_shown = std::move(m_rendering);
    m_rendering.reset();
    return true;
}

void Minimap::paint(QPainter& painter, const CanvasScene& scene, const Camera& camera, QSizeF view, double pixelRatio, bool hasty)
{
    const QRectF at = rect(scene, camera, view);
    if (at.isEmpty()) {
        m_rendering.reset();
        return;
    }
    if (!hasty || scene.picture().items.size() <= kSlowItems)
        renew(scene, at.size(), pixelRatio);
    const Theme& theme = *scene.style().theme;
    painter.save();
    if (covers(at, scene, camera))
        painter.setOpacity(kThinOpacity);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, theme.dark ? 60 : 18));
    painter.drawRoundedRect(at.adjusted(-1, 0, 1, 3), 4, 4);
    if (m_shown)
        painter.drawImage(at, m_shown->image());
    else
        painter.fillRect(at, theme.panel);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.line, 1));
    painter.drawRoundedRect(at.adjusted(-0.5, -0.5, 0.5, 0.5), 3, 3);
    QRectF seen =
        MapRendering::cameraFor(scene, at.size()).toView(camera.toScene(QRectF(QPointF(), view))).translated(at.topLeft());
    seen = seen.intersected(at.adjusted(1, 1, -1, -1));
    QColor fill = theme.selection;
    fill.setAlphaF(0.12F);
    painter.setPen(QPen(theme.selection, 1.2));
    painter.setBrush(fill);
    if (!seen.isEmpty())
        painter.drawRoundedRect(seen, 2, 2);
    painter.restore();
}

Camera Minimap::cameraAt(QPointF at, const CanvasScene& scene, const Camera& camera, QSizeF view) const
{
    const QRectF map = rect(scene, camera, view);
    const QPointF point = MapRendering::cameraFor(scene, map.size()).toScene(at - map.topLeft());
    return camera.centeredOn({static_cast<float>(point.x()), static_cast<float>(point.y())}, view);
}

} // namespace sunder
