#include "canvas/viewport.h"

#include "canvas/gestures.h"
#include "text/shown_text.h"

#include <QElapsedTimer>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QPointingDevice>
#include <QToolTip>
#include <QWheelEvent>
#include <QWidget>
#include <cmath>
#include <cstring>

namespace sunder {
namespace {

/// Pictures that paint faster than this are repainted even while zooming.
constexpr double kQuickFrameMs = 10;

/// Moves the content of an image by whole pixels; the uncovered part is not changed.
void scrollPixels(QImage& image, int dx, int dy)
{
    const int width = image.width() - std::abs(dx);
    const int height = image.height() - std::abs(dy);
    const int fromX = dx < 0 ? -dx : 0;
    const int toX = dx < 0 ? 0 : dx;
    const auto bytes = static_cast<std::size_t>(width) * 4;
    for (int i = 0; i < height; ++i) {
        // In this order, no row is overwritten before it is copied.
        const int row = dy > 0 ? height - 1 - i : i - dy;
        std::memmove(image.scanLine(row + dy) + std::ptrdiff_t{toX} * 4, image.constScanLine(row) + std::ptrdiff_t{fromX} * 4,
                     bytes);
    }
}

} // namespace

bool FrameCache::paint(QPainter& painter, const FramePainter& frame, const Camera& camera, QSize size, double pixelRatio,
                       bool mayScale)
{
    const QSize pixels(static_cast<int>(std::ceil(size.width() * pixelRatio)),
                       static_cast<int>(std::ceil(size.height() * pixelRatio)));
    if (m_image.size() != pixels || m_pixelRatio != pixelRatio) {
        m_image = QImage(pixels, QImage::Format_RGB32);
        m_image.setDevicePixelRatio(pixelRatio);
        m_valid = false;
    }
    m_size = size;
    m_pixelRatio = pixelRatio;
    const bool zoomed = camera.zoom() != m_camera.zoom();
    if (m_valid && zoomed && mayScale && m_lastFrameMs > kQuickFrameMs) {
        const double factor = camera.zoom() / m_camera.zoom();
        painter.fillRect(QRect(QPoint(), size), frame.background);
        painter.drawImage(QRectF(camera.toView(m_camera.origin()), QSizeF(size) * factor), m_image);
        return false;
    }
    if (!m_valid || (camera != m_camera && !scrollTo(frame, camera))) {
        QElapsedTimer timer;
        timer.start();
        m_camera = camera;
        repaint(frame, QRect(QPoint(), size));
        m_lastFrameMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    } else if (!m_dirty.isEmpty()) {
        repaint(frame, m_dirty);
    }
    m_dirty = QRegion();
    m_valid = true;
    painter.drawImage(QPointF(0, 0), m_image);
    return true;
}

bool FrameCache::scrollTo(const FramePainter& frame, const Camera& camera)
{
    if (camera.zoom() != m_camera.zoom())
        return false;
    const QPointF shift = m_camera.toView(m_camera.origin()) - m_camera.toView(camera.origin());
    const double dx = shift.x() * m_pixelRatio;
    const double dy = shift.y() * m_pixelRatio;
    constexpr double kWhole = 0.02;
    if (std::abs(dx - std::round(dx)) > kWhole || std::abs(dy - std::round(dy)) > kWhole)
        return false;
    if (std::abs(dx) >= m_image.width() || std::abs(dy) >= m_image.height())
        return false;
    scrollPixels(m_image, static_cast<int>(std::lround(dx)), static_cast<int>(std::lround(dy)));
    m_camera = camera;
    const QRect all(QPoint(), m_size);
    const QRectF kept = QRectF(all).translated(shift.x(), shift.y());
    // At fractional pixel ratios, half a pixel of the old edge can be wrong: repaint it.
    const QRect inner(QPoint(static_cast<int>(std::ceil(kept.left())) + (dx > 0 ? 1 : 0),
                             static_cast<int>(std::ceil(kept.top())) + (dy > 0 ? 1 : 0)),
                      QPoint(static_cast<int>(std::floor(kept.right())) - (dx < 0 ? 2 : 1),
                             static_cast<int>(std::floor(kept.bottom())) - (dy < 0 ? 2 : 1)));
    m_dirty.translate(static_cast<int>(std::floor(shift.x())), static_cast<int>(std::floor(shift.y())));
    if (const QRegion exposed = (QRegion(all) - inner) + m_dirty; !exposed.isEmpty())
        repaint(frame, exposed);
    return true;
}

void FrameCache::repaint(const FramePainter& frame, const QRegion& region)
{
    QPainter painter(&m_image);
    for (const QRect& rect : region) {
        const QRect part = rect & QRect(QPoint(), m_size);
        if (part.isEmpty())
            continue;
        painter.setClipRect(part);
        painter.fillRect(part, frame.background);
        frame.paint(painter, m_camera, QRectF(part));
    }
}

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

bool Viewport::viewportEvent(QEvent& event, const std::function<QString(QPoint)>& tipAt)
{
    if (event.type() == QEvent::NativeGesture)
        return gesture(static_cast<QNativeGestureEvent&>(event));
    if (event.type() != QEvent::ToolTip)
        return false;
    const auto& help = static_cast<QHelpEvent&>(event);
    const QString tip = tipAt(help.pos());
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help.globalPos(), folded(tip), &m_surface);
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
