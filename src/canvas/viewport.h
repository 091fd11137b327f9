#pragma once

#include "canvas/camera.h"

#include <QColor>
#include <QCursor>
#include <QImage>
#include <QRegion>
#include <QTimer>
#include <functional>
#include <optional>

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

class QEvent;
class QKeyEvent;
class QMouseEvent;
class QNativeGestureEvent;
class QPainter;
class QWheelEvent;
class QWidget;

namespace sunder {

/// Receives the user's view commands. The host applies them within its content, and responds with Viewport::setCamera().
class ViewportHost {
public:
    virtual ~ViewportHost() = default;
    /// Zooms with the point `at` fixed.
    virtual void zoomAt(QPointF at, double factor) = 0;
    virtual void moveTo(const Camera& camera) = 0;
    virtual void fitAll() = 0;
};

/// The camera of a view and its control by wheel, trackpad, pinch, hand tool, and keyboard, identical for every view. The wheel
/// zooms at the cursor or scrolls (wheel.h), zooms with Ctrl, and scrolls sideways with Shift. A trackpad scrolls, and zooms with
/// Ctrl or by pinch. The middle button, or Space with the left button, pans. +, −, F, and the page keys zoom, fit, and scroll.
/// Caches the painted frame.
class Viewport final {
public:
    /// `surface` is the painted widget; it supplies size and pixel ratio. Both must outlive the viewport.
    Viewport(ViewportHost& host, QWidget& surface);

    [[nodiscard]] const Camera& camera() const { return m_camera; }
    /// Sets the camera and repaints, without notification.
    void setCamera(const Camera& camera);

    // Frame
    /// Marks everything, or this part of the view, to be repainted.
    void invalidate();
    void invalidate(const QRectF& view);
    /// Paints the frame, with `frame` if necessary. While zooming it can be scaled old pixels, followed by a repaint.
    void paint(QPainter& painter, const FramePainter& frame);
    /// Rounds a movement to whole screen pixels, so that the frame can be moved instead of repainted.
    [[nodiscard]] QPointF wholePixels(QPointF delta) const;

    // Handle input events; return true if the viewport handled it.
    bool wheel(QWheelEvent& event);
    bool gesture(const QNativeGestureEvent& event);
    /// Handles events for tooltips, with the text of a place (empty: none), and for gestures.
    bool viewportEvent(QEvent& event, const std::function<QString(QPoint)>& tipAt);
    bool keyPressed(const QKeyEvent& event);
    /// Returns true if Space was released without panning, so that a view can use it as a key.
    bool keyReleased(const QKeyEvent& event);
    /// `onGround`: nothing at this point would handle a press.
    bool pressed(const QMouseEvent& event, bool onGround);
    bool moved(const QMouseEvent& event);
    bool released(const QMouseEvent& event);
    /// Called when the view lost the keyboard focus.
    void releaseSpace() { m_spaceHeld = false; }

    [[nodiscard]] bool isPanning() const { return m_panning; }
    /// Returns a hand cursor while panning is active or prepared; otherwise the view uses its own.
    [[nodiscard]] std::optional<QCursor> cursor() const;

private:
    [[nodiscard]] QPointF middle() const;

    ViewportHost& m_host;
    QWidget& m_surface;
    Camera m_camera;
    FrameCache m_frame;
    QTimer m_refine; ///< repaints after a zoom that only scaled pixels
    bool m_mayScale = true;
    bool m_spaceHeld = false;
    bool m_spaceUsed = false; ///< panned since Space was pressed
    bool m_panning = false;
    QPointF m_pressedAt;
    Camera m_pressedCamera;
};

} // namespace sunder
