#pragma once

#include "canvas/camera.h"

#include <QColor>
#include <QImage>
#include <QRegion>

#include <functional>

class QPainter;

namespace sunder {

/// The content of a frame, supplied by a view.
struct FramePainter {
    QColor background;
    /// Paints the scene of the camera in `part` of the view; the painter is clipped to it.
    std::function<void(QPainter& painter, const Camera& camera, const QRectF& part)> paint;
};

/// The painted view as an image. Panning moves its pixels and paints only the uncovered part. Zooming a slow picture shows the
/// scaled old pixels until there is time to repaint.
class FrameCache final {
public:
    /// Marks everything to be repainted.
    void invalidate() { m_valid = false; }
    /// Marks this part of the view to be repainted.
    void invalidate(const QRectF& view) { m_dirty += view.toAlignedRect(); }

    /// Paints the frame for a view of `size` logical pixels. Returns false if it only scaled old pixels; the caller should then
    /// call it again with `mayScale` false.
    bool paint(QPainter& painter, const FramePainter& frame, const Camera& camera, QSize size, double pixelRatio, bool mayScale);

private:
    void repaint(const FramePainter& frame, const QRegion& region);
    /// Moves the pixels if the camera was only panned, by whole pixels; otherwise returns false.
    bool scrollTo(const FramePainter& frame, const Camera& camera);

    QImage m_image;
    Camera m_camera;
    QSize m_size;
    double m_pixelRatio = 1;
    QRegion m_dirty;
    bool m_valid = false;
    double m_lastFrameMs = 0; ///< duration of the last complete repaint
};

} // namespace sunder
