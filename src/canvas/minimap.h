#pragma once

#include "canvas/camera.h"
#include "canvas/map_rendering.h"

#include <optional>

namespace sunder {

/// The whole picture in the lower right corner of the view: marks in tag colors, errors in red, and a frame around the visible
/// part. It is translucent over readable items and chips.
class Minimap final {
public:
    /// Returns its rectangle in a view of this size; empty if most of the picture is visible anyway or the view is too small.
    [[nodiscard]] QRectF rect(const CanvasScene& scene, const Camera& camera, QSizeF view) const;
    /// Paints the minimap; a large picture may be incomplete, see isLate(). While `hasty`, the outdated image is kept.
    void paint(QPainter& painter, const CanvasScene& scene, const Camera& camera, QSizeF view, double pixelRatio, bool hasty);
    /// Returns whether the painted image is outdated, so that advance() must be called.
    [[nodiscard]] bool isLate() const { return m_rendering.has_value(); }
    /// Continues rendering for some milliseconds; returns true if the image for paint() changed.
    bool advance(const CanvasScene& scene);
    /// Returns the camera centered on the scene point at a point of the minimap.
    [[nodiscard]] Camera cameraAt(QPointF at, const CanvasScene& scene, const Camera& camera, QSizeF view) const;

private:
    [[nodiscard]] static bool covers(const QRectF& at, const CanvasScene& scene, const Camera& camera);
    void renew(const CanvasScene& scene, QSizeF size, double pixelRatio);

    std::optional<MapRendering> m_shown;
    std::optional<MapRendering> m_rendering; ///< rendering in progress
};

} // namespace sunder
