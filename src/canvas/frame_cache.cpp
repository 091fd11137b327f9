#include "canvas/frame_cache.h"

#include <QElapsedTimer>
#include <QPainter>

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

} // namespace sunder
