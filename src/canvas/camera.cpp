#include "canvas/camera.h"

#include <algorithm>

namespace sunder {
namespace {

/// Returns the shift of one axis that moves [low, high] into [0, extent] with a margin; 0 if it is inside.
double shiftIntoView(double low, double high, double extent, double margin)
{
    const double room = extent - 2 * margin;
    if (high - low > room || low < margin)
        return low < margin || low > extent - margin || high - low <= room ? margin - low : 0;
    return high > extent - margin ? extent - margin - high : 0;
}

} // namespace

Camera::Camera(QPointF origin, double zoom) : m_origin(origin), m_zoom(std::clamp(zoom, kMinZoom, kMaxZoom)) {}

Rect Camera::toScene(const QRectF& view) const
{
    const QPointF corner = toScene(view.topLeft());
    return {static_cast<float>(corner.x()), static_cast<float>(corner.y()), static_cast<float>(view.width() / m_zoom),
            static_cast<float>(view.height() / m_zoom)};
}

Camera Camera::zoomedAt(QPointF view, double factor) const
{
    const double zoom = std::clamp(m_zoom * factor, kMinZoom, kMaxZoom);
    return {toScene(view) - view / zoom, zoom};
}

Camera Camera::fitting(const Rect& scene, QSizeF view, double margin, double maxZoom)
{
    const double across = (view.width() - 2 * margin) / std::max(1.0, static_cast<double>(scene.width));
    const double down = (view.height() - 2 * margin) / std::max(1.0, static_cast<double>(scene.height));
    const Camera scaled({}, std::min({across, down, maxZoom}));
    return scaled.centeredOn(scene.center(), view);
}

Camera Camera::showing(const Rect& scene, QSizeF view, double margin) const
{
    const QRectF at = toView(scene);
    return pannedBy({shiftIntoView(at.left(), at.right(), view.width(), margin),
                     shiftIntoView(at.top(), at.bottom(), view.height(), margin)});
}

Camera Camera::centeredOn(Point scene, QSizeF view) const
{
    return {QPointF(scene.x, scene.y) - QPointF(view.width(), view.height()) / (2 * m_zoom), m_zoom};
}

} // namespace sunder
