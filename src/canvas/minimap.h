#pragma once

#include "canvas/camera.h"
#include "canvas/canvas_scene.h"

#include <QImage>

namespace sunder {

/// The whole picture in the lower right corner of the view: marks in tag colours, errors in red, a frame around what
/// is seen.
class Minimap final {
public:
    /// Where it is in a view of that size; empty when the whole picture is seen anyway or the view is too small.
    [[nodiscard]] QRectF rect(const CanvasScene& scene, const Camera& camera, QSizeF view) const;
    /// Paints it. While `hasty`, an outdated image of a large picture is kept.
    void paint(QPainter& painter, const CanvasScene& scene, const Camera& camera, QSizeF view, double pixelRatio,
               bool hasty);
    /// Whether its image is outdated and takes so long that it is better painted on its own, a little later.
    [[nodiscard]] bool isLate(const CanvasScene& scene) const;
    /// The camera that shows the scene point under a point of the minimap in the middle of the view.
    [[nodiscard]] Camera cameraAt(QPointF at, const CanvasScene& scene, const Camera& camera, QSizeF view) const;

private:
    void render(const CanvasScene& scene, QSizeF size, double pixelRatio);

    QImage m_image;
    std::uint64_t m_revision = 0;
};

} // namespace sunder
