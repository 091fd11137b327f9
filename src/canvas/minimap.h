#pragma once

#include "canvas/camera.h"
#include "canvas/map_rendering.h"

#include <optional>

namespace sunder {

/// The whole picture in the lower right corner of the view: marks in tag colours, errors in red, a frame around what
/// is seen. Where items or chips that can be read lie under it, it lets them through.
class Minimap final {
public:
    /// Where it is in a view of that size; empty when the whole picture is seen anyway or the view is too small.
    [[nodiscard]] QRectF rect(const CanvasScene& scene, const Camera& camera, QSizeF view) const;
    /// Paints it; a large picture as far as it is known, see isLate(). While `hasty`, the outdated image is kept.
    void paint(QPainter& painter, const CanvasScene& scene, const Camera& camera, QSizeF view, double pixelRatio, bool hasty);
    /// Whether the image that was painted is outdated, and advance() is to be called until it is not.
    [[nodiscard]] bool isLate() const { return m_rendering.has_value(); }
    /// Goes on with the image for some milliseconds; true when what paint() shows has changed.
    bool advance(const CanvasScene& scene);
    /// The camera that shows the scene point under a point of the minimap in the middle of the view.
    [[nodiscard]] Camera cameraAt(QPointF at, const CanvasScene& scene, const Camera& camera, QSizeF view) const;

private:
    [[nodiscard]] static bool covers(const QRectF& at, const CanvasScene& scene, const Camera& camera);
    void renew(const CanvasScene& scene, QSizeF size, double pixelRatio);

    std::optional<MapRendering> m_shown;
    std::optional<MapRendering> m_rendering; ///< under way
};

} // namespace sunder
