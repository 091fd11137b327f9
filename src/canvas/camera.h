#pragma once

#include "layout/geometry.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace sunder {

/// Of a step of the wheel or a key.
inline constexpr double kZoomStep = 1.2;

/// Where a view looks: scene coordinates (logical pixels of the layout) to view coordinates (logical pixels of the
/// widget, from its top left corner). A value.
class Camera final {
public:
    static constexpr double kMinZoom = 0.005;
    static constexpr double kMaxZoom = 8;

    Camera() = default;
    /// `origin` is the scene point at the view's top left corner. The zoom is held within its limits.
    Camera(QPointF origin, double zoom);

    [[nodiscard]] double zoom() const { return m_zoom; }
    [[nodiscard]] QPointF origin() const { return m_origin; }

    [[nodiscard]] QPointF toView(QPointF scene) const { return (scene - m_origin) * m_zoom; }
    [[nodiscard]] QPointF toView(Point scene) const { return toView(QPointF(scene.x, scene.y)); }
    [[nodiscard]] QRectF toView(const Rect& scene) const
    {
        return {toView(Point{scene.x, scene.y}), QSizeF(scene.width, scene.height) * m_zoom};
    }
    [[nodiscard]] QRectF toView(const QRectF& scene) const { return {toView(scene.topLeft()), scene.size() * m_zoom}; }
    [[nodiscard]] QPointF toScene(QPointF view) const { return view / m_zoom + m_origin; }
    [[nodiscard]] Rect toScene(const QRectF& view) const;

    /// The camera after zooming by `factor` with the scene point under `view` held in its place.
    [[nodiscard]] Camera zoomedAt(QPointF view, double factor) const;
    /// Moved so that the picture follows the hand by `delta` view pixels.
    [[nodiscard]] Camera pannedBy(QPointF delta) const { return {m_origin - delta / m_zoom, m_zoom}; }
    /// Shows `scene` whole and centred in a view of that size, at most at `maxZoom`.
    [[nodiscard]] static Camera fitting(const Rect& scene, QSizeF view, double margin, double maxZoom = 1);
    /// Moved just as far as needed for `scene` to lie in the view, `margin` away from its border; where it does not
    /// fit, its top left corner is shown.
    [[nodiscard]] Camera showing(const Rect& scene, QSizeF view, double margin) const;
    /// Centred on a scene point.
    [[nodiscard]] Camera centeredOn(Point scene, QSizeF view) const;

    friend bool operator==(const Camera&, const Camera&) = default;

private:
    QPointF m_origin;
    double m_zoom = 1;
};

} // namespace sunder
