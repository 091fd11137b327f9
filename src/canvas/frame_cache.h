#pragma once

#include "canvas/camera.h"

#include <QColor>
#include <QImage>
#include <QRegion>

#include <functional>

class QPainter;

namespace sunder {

/// What a frame shows, for whoever paints it.
struct FramePainter {
    QColor background;
    /// Paints what the camera shows in `part` of the view; what is painted beside it is cut off.
    std::function<void(QPainter& painter, const Camera& camera, const QRectF& part)> paint;
};

/// The painted picture as an image of the view. Panning moves its pixels and paints only what comes into view;
/// zooming a picture that is slow to paint shows the old pixels scaled until there is time for new ones.
class FrameCache final {
public:
    /// Everything is to be painted anew.
    void invalidate() { m_valid = false; }
    /// Only this part of the view is.
    void invalidate(const QRectF& view) { m_dirty += view.toAlignedRect(); }

    /// Paints the frame into `painter` for a view of `size` logical pixels. Returns false when what is shown is only
    /// scaled old pixels, so that the caller comes again with `mayScale` false.
    bool paint(QPainter& painter, const FramePainter& frame, const Camera& camera, QSize size, double pixelRatio, bool mayScale);

private:
    void repaint(const FramePainter& frame, const QRegion& region);
    /// Moves the pixels for a camera that was only panned; false when it was not, or not by whole pixels.
    bool scrollTo(const FramePainter& frame, const Camera& camera);

    QImage m_image;
    Camera m_camera;
    QSize m_size;
    double m_pixelRatio = 1;
    QRegion m_dirty;
    bool m_valid = false;
    double m_lastFrameMs = 0; ///< that the last whole frame took
};

} // namespace sunder
