#pragma once

#include "canvas/camera.h"
#include "canvas/frame_cache.h"

#include <QCursor>
#include <QTimer>

#include <optional>

class QKeyEvent;
class QMouseEvent;
class QNativeGestureEvent;
class QPainter;
class QWheelEvent;
class QWidget;

namespace sunder {

/// What the person asks of a view. It grants as much as it has something to show, and answers with Viewport::setCamera().
class ViewportHost {
public:
    virtual ~ViewportHost() = default;
    /// Zoom; what is under `at` is to stay there.
    virtual void zoomAt(QPointF at, double factor) = 0;
    virtual void moveTo(const Camera& camera) = 0;
    virtual void fitAll() = 0;
};

/// Where a view looks, and what wheel, trackpad, pinch, hand and keys make of that: the same in every view. The wheel
/// zooms at the cursor, or moves (wheel.h), with Ctrl it zooms, with Shift it moves sideways; a trackpad moves, with Ctrl or by a pinch it zooms; the middle
/// button, or Space with the left one, moves the picture with the hand; +, −, F and the page keys do what they say.
/// Keeps the painted frame.
class Viewport final {
public:
    /// `surface` is what is painted on; it gives size and pixel ratio. Both outlive the viewport.
    Viewport(ViewportHost& host, QWidget& surface);

    [[nodiscard]] const Camera& camera() const { return m_camera; }
    /// Tells nobody; paints anew.
    void setCamera(const Camera& camera);

    // The frame
    /// All of it is another now, or this part of the view is.
    void invalidate();
    void invalidate(const QRectF& view);
    /// Paints the frame, by `frame` where it has to. While one zooms it may be old pixels, scaled; new ones follow.
    void paint(QPainter& painter, const FramePainter& frame);
    /// As far as the hand, in whole pixels of the screen: the frame can be moved instead of painted.
    [[nodiscard]] QPointF wholePixels(QPointF delta) const;

    // What the person does; true when it was for the viewport.
    bool wheel(QWheelEvent& event);
    bool gesture(const QNativeGestureEvent& event);
    bool keyPressed(const QKeyEvent& event);
    /// True when Space was let go without having moved anything: a view may take it for a key of its own.
    bool keyReleased(const QKeyEvent& event);
    /// `onGround`: nothing is there that a press would be for.
    bool pressed(const QMouseEvent& event, bool onGround);
    bool moved(const QMouseEvent& event);
    bool released(const QMouseEvent& event);
    /// The view has lost the keyboard.
    void letGo() { m_spaceHeld = false; }

    [[nodiscard]] bool isPanning() const { return m_panning; }
    /// A hand while the picture is moved or about to be; else the view's own.
    [[nodiscard]] std::optional<QCursor> cursor() const;

private:
    [[nodiscard]] QPointF middle() const;

    ViewportHost& m_host;
    QWidget& m_surface;
    Camera m_camera;
    FrameCache m_frame;
    QTimer m_refine; ///< paints anew after a zoom that only scaled pixels
    bool m_mayScale = true;
    bool m_spaceHeld = false;
    bool m_spaceUsed = false; ///< something was moved since it was pressed
    bool m_panning = false;
    QPointF m_pressedAt;
    Camera m_pressedCamera;
};

} // namespace sunder
