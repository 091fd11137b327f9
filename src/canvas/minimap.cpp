#include "canvas/minimap.h"

#include "canvas/picture_painter.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr double kMargin = 12;
constexpr double kPad = 6;
constexpr double kMostWidth = 160;
constexpr double kMostHeight = 220;
constexpr double kLeastSide = 36;
constexpr double kSeenEnough = 0.7; ///< share of the picture's area in view from which a map says nothing new
constexpr std::size_t kSlowItems = 20'000;

/// The scene in the minimap: scaled to fit, centred.
Camera mapCamera(const CanvasScene& scene, QSizeF size)
{
    return Camera::fitting(scene.bounds(), size, kPad, 1);
}

} // namespace

QRectF Minimap::rect(const CanvasScene& scene, const Camera& camera, QSizeF view) const
{
    const Rect bounds = scene.bounds();
    const QRectF picture = camera.toView(bounds);
    const QRectF seen = QRectF(QPointF(), view).intersected(picture);
    const bool seenEnough = seen.width() * seen.height() >= kSeenEnough * picture.width() * picture.height();
    if (scene.isEmpty() || seenEnough || view.width() < 260 || view.height() < 200)
        return {};
    const double mostHeight = std::min(kMostHeight, view.height() * 0.42);
    const double mostWidth = std::min(kMostWidth, view.width() * 0.2);
    const double zoom = std::min(mostWidth / bounds.width, mostHeight / bounds.height);
    const QSizeF size(std::clamp(bounds.width * zoom, kLeastSide, mostWidth),
                      std::clamp(bounds.height * zoom, kLeastSide, mostHeight));
    return {QPointF(view.width() - size.width() - kMargin, view.height() - size.height() - kMargin), size};
}

void Minimap::render(const CanvasScene& scene, QSizeF size, double pixelRatio)
{
    const QSize pixels(static_cast<int>(std::ceil(size.width() * pixelRatio)),
                       static_cast<int>(std::ceil(size.height() * pixelRatio)));
    m_image = QImage(pixels, QImage::Format_RGB32);
    m_image.setDevicePixelRatio(pixelRatio);
    const Theme& theme = *scene.style().theme;
    m_image.fill(theme.panel);
    m_revision = scene.revision();
    QPainter painter(&m_image);
    const Camera camera = mapCamera(scene, size);
    const PaintContext context{.picture = scene.picture(),
                               .style = scene.style(),
                               .looks = scene.looks(),
                               .camera = camera,
                               .view = QRectF(QPointF(), size),
                               .pixelRatio = pixelRatio};
    paintPictureMarks(painter, context, scene.tables());
    for (const PictureLooks::BackwardRoute& route : scene.looks().backward()) {
        const QPointF middle = camera.toView(scene.item(route.to).rect.center());
        painter.fillRect(QRectF(middle - QPointF(2.5, 2.5), QSizeF(5, 5)), theme.error);
    }
}

void Minimap::paint(QPainter& painter, const CanvasScene& scene, const Camera& camera, QSizeF view, double pixelRatio,
                    bool hasty)
{
    const QRectF at = rect(scene, camera, view);
    if (at.isEmpty())
        return;
    const bool sizeChanged = m_image.isNull()
                             || std::abs(m_image.width() - std::ceil(at.width() * pixelRatio)) > 0.5
                             || std::abs(m_image.height() - std::ceil(at.height() * pixelRatio)) > 0.5;
    if (sizeChanged || (m_revision != scene.revision() && !(hasty && isLate(scene))))
        render(scene, at.size(), pixelRatio);
    const Theme& theme = *scene.style().theme;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, theme.dark ? 60 : 18));
    painter.drawRoundedRect(at.adjusted(-1, 0, 1, 3), 4, 4);
    painter.drawImage(at.topLeft(), m_image);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.line, 1));
    painter.drawRoundedRect(at.adjusted(-0.5, -0.5, 0.5, 0.5), 3, 3);
    QRectF seen = mapCamera(scene, at.size()).toView(camera.toScene(QRectF(QPointF(), view))).translated(at.topLeft());
    seen = seen.intersected(at.adjusted(1, 1, -1, -1));
    QColor fill = theme.selection;
    fill.setAlphaF(0.12F);
    painter.setPen(QPen(theme.selection, 1.2));
    painter.setBrush(fill);
    if (!seen.isEmpty())
        painter.drawRoundedRect(seen, 2, 2);
}

bool Minimap::isLate(const CanvasScene& scene) const
{
    return !m_image.isNull() && m_revision != scene.revision() && scene.picture().items.size() > kSlowItems;
}

Camera Minimap::cameraAt(QPointF at, const CanvasScene& scene, const Camera& camera, QSizeF view) const
{
    const QRectF map = rect(scene, camera, view);
    const QPointF point = mapCamera(scene, map.size()).toScene(at - map.topLeft());
    return camera.centeredOn({static_cast<float>(point.x()), static_cast<float>(point.y())}, view);
}

} // namespace sunder
