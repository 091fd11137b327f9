#pragma once

#include "layout/geometry.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace sunder {

/// Zoom factor of one wheel step or key press.
inline constexpr double kZoomStep = 1.2;

/// Maps scene coordinates (logical pixels of the layout) to view coordinates (logical pixels of the widget, relative to its top
/// left corner). A value.
class Camera final {
public:
    static constexpr double kMinZoom = 0.005;
    static constexpr double kMaxZoom = 8;

    Camera() = default;
    /// `origin` is the scene point at the top left corner of the view. The zoom is clamped to its limits.
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

    /// Returns the camera zoomed by `factor`, with the scene point under `view` fixed.
    [[nodiscard]] Camera zoomedAt(QPointF view, double factor) const;
    /// Returns the camera panned so that the picture moves by `delta` view pixels.
    [[nodiscard]] Camera pannedBy(QPointF delta) const { return {m_origin - delta / m_zoom, m_zoom}; }
    /// Returns the camera that shows all of `scene`, centered, in a view of this size, zoomed to at most `maxZoom`.
    [[nodiscard]] static Camera fitting(const Rect& scene, QSizeF view, double margin, double maxZoom = 1);
    /// Returns the camera moved as little as necessary to show `scene` at least `margin` away from the edges of the view. If it
    /// does not fit, its top left corner is shown.
    [[nodiscard]] Camera showing(const Rect& scene, QSizeF view, double margin) const;
    /// Returns the camera centered on a scene point.
    [[nodiscard]] Camera centeredOn(Point scene, QSizeF view) const;

    friend bool operator==(const Camera&, const Camera&) = default;

private:
    QPointF m_origin;
    double m_zoom = 1;
};

} // namespace sunder
