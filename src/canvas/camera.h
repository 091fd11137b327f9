#pragma once

#include "canvas/canvas_scene.h"
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

/// Margin around a fitted picture, in pixels.
inline constexpr double kFitMargin = 20;

/// Minimum zoom at which titles are readable: 8 of their 11 px.
inline constexpr double kTitlesZoom = 8.0 / 11.0;

/// Minimum zoom for fitting pictures that have columns or are wider than the view. Titles have their minimum size then, and some
/// are elided.
inline constexpr double kColumnsZoom = 0.45;

/// Returns the camera that fits a picture. The labels of chips count only where they are drawn: below kReadableZoom, they are dots.
Camera wholeCamera(const CanvasScene& scene, QSizeF view, double maxZoom);

/// Returns whether a picture is fitted when it opens: if titles are readable then or, for pictures with columns or boxes wider
/// than the view, most titles. False if all boxes are readable at a larger zoom that leaves only labels of chips outside.
bool opensWhole(const CanvasScene& scene, QSizeF view);

/// Returns the initial camera of a picture: fitted if opensWhole(); otherwise as wide as the view if titles are readable then;
/// otherwise at a zoom where all texts are readable. It shows the start of the picture with its first input. `covered`: pixels at
/// the right edge of the view that are covered by something else.
Camera openingCamera(const CanvasScene& scene, QSizeF view, double covered = 0);

/// Returns the camera for a new picture that keeps the item of `anchor` in place, so that opening and closing do not jump: an
/// opened frame keeps the position of the closed box and vice versa. An opened frame is moved only to make more of it visible:
/// into the view or, if it is larger, to its start. Without a valid anchor, the item nearest to the center of the view is kept in
/// place.
Camera keepingPlace(const Camera& camera, const CanvasScene& before, const CanvasScene& after, NodeId anchor, QSizeF view);

/// Returns the camera moved so that the items of these nodes are visible. It does not move if they are visible, or if they do not
/// fit and one of them is; it centers on the first if they do not fit.
Camera showingNodes(const CanvasScene& scene, const Camera& camera, std::span<const NodeId> nodes, QSizeF view);
/// Returns the camera centered on the item of the first node that has one; unchanged if none has.
Camera centeredOnFirst(const CanvasScene& scene, const Camera& camera, std::span<const NodeId> nodes, QSizeF view);

} // namespace sunder
