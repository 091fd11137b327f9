#include "canvas/viewport.h"

#include "canvas/gestures.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QWheelEvent>
#include <QWidget>

#include <cmath>

namespace sunder {
namespace {

constexpr int kRefineMs = 70;
constexpr double kPage = 0.9; ///< fraction of the view height

} // namespace

Viewport::Viewport(ViewportHost& host, QWidget& surface) : m_host(host), m_surface(surface)
{
    m_refine.setSingleShot(true);
    m_refine.setInterval(kRefineMs);
    QObject::connect(&m_refine, &QTimer::timeout, &m_refine, [this] {
        m_mayScale = false;
        m_surface.update();
    });
}

void Viewport::setCamera(const Camera& camera)
{
    m_camera = camera;
    m_surface.update();
}

void Viewport::invalidate()
{
    m_frame.invalidate();
    m_surface.update();
}

void Viewport::invalidate(const QRectF& view)
{
    m_frame.invalidate(view);
    m_surface.update();
}

void Viewport::paint(QPainter& painter, const FramePainter& frame)
{
    const bool exact = m_frame.paint(painter, frame, m_camera, m_surface.size(), m_surface.devicePixelRatioF(), m_mayScale);
    m_mayScale = true;
    if (!exact)
        m_refine.start();
}

QPointF Viewport::wholePixels(QPointF delta) const
{
    const double ratio = m_surface.devicePixelRatioF();
    return {std::round(delta.x() * ratio) / ratio, std::round(delta.y() * ratio) / ratio};
}

QPointF Viewport::middle() const
{
    return QRectF(m_surface.rect()).center();
}

bool Viewport::wheel(QWheelEvent& event)
{
    const bool control = event.modifiers().testFlag(Qt::ControlModifier);
    const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
    const bool pad = event.pointingDevice() != nullptr && event.pointingDevice()->type() == QInputDevice::DeviceType::TouchPad;
    const QPoint angle = event.angleDelta();
    event.accept();
    if (control || (!pad && !shift && !Wheel::moves())) {
        // Alt swaps the wheel axes on some systems.
        const int turned = angle.y() != 0 ? angle.y() : angle.x();
        m_host.zoomAt(event.position(), std::pow(kZoomStep, turned / 120.0));
        return true;
    }
    QPointF delta = event.pixelDelta().isNull() ? QPointF(angle) * 0.5 : QPointF(event.pixelDelta());
    if (shift && delta.x() == 0)
        delta = {delta.y(), 0};
    m_host.moveTo(m_camera.pannedBy(wholePixels(delta)));
    return true;
}

bool Viewport::gesture(const QNativeGestureEvent& event)
{
    if (event.gestureType() != Qt::ZoomNativeGesture)
        return false;
    m_host.zoomAt(event.position(), 1 + event.value());
    return true;
}

bool Viewport::keyPressed(const QKeyEvent& event)
{
    const double page = m_surface.height() * kPage;
    switch (event.key()) {
    case Qt::Key_F:
        if (event.modifiers() != Qt::NoModifier)
            return false;
        m_host.fitAll();
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal: m_host.zoomAt(middle(), kZoomStep); return true;
    case Qt::Key_Minus: m_host.zoomAt(middle(), 1 / kZoomStep); return true;
    case Qt::Key_PageUp: m_host.moveTo(m_camera.pannedBy(wholePixels({0, page}))); return true;
    case Qt::Key_PageDown: m_host.moveTo(m_camera.pannedBy(wholePixels({0, -page}))); return true;
    case Qt::Key_Space:
        if (!event.isAutoRepeat())
            m_spaceUsed = false;
        m_spaceHeld = true;
        return true;
    default: return false;
    }
}

bool Viewport::keyReleased(const QKeyEvent& event)
{
    if (event.key() != Qt::Key_Space || event.isAutoRepeat() || !m_spaceHeld)
        return false;
    m_spaceHeld = false;
    return !m_spaceUsed;
}

bool Viewport::pressed(const QMouseEvent& event, bool onGround)
{
    const bool byLeft = event.button() == Qt::LeftButton && (m_spaceHeld || onGround);
    if (m_panning || (event.button() != Qt::MiddleButton && !byLeft))
        return m_panning;
    m_panning = true;
    m_spaceUsed = true;
    m_pressedAt = event.position();
    m_pressedCamera = m_camera;
    return true;
}

bool Viewport::moved(const QMouseEvent& event)
{
    if (m_panning)
        m_host.moveTo(m_pressedCamera.pannedBy(wholePixels(event.position() - m_pressedAt)));
    return m_panning;
}

bool Viewport::released(const QMouseEvent& event)
{
    const bool wasPanning = m_panning;
    if ((event.buttons() & (Qt::LeftButton | Qt::MiddleButton)) == Qt::NoButton)
        m_panning = false;
    return wasPanning;
}

std::optional<QCursor> Viewport::cursor() const
{
    if (m_panning)
        return QCursor(Qt::ClosedHandCursor);
    return m_spaceHeld ? std::optional(QCursor(Qt::OpenHandCursor)) : std::nullopt;
}

} // namespace sunder
