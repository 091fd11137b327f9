#include "canvas/map_rendering.h"

#include "canvas/item_painter.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr double kMapPad = 6;
/// A slice takes this many one-pixel marks, or a twentieth as many painted ones.
constexpr std::uint32_t kSliceCost = 200'000;
constexpr std::uint32_t kPaintedCost = 20;

QSize pixelsOf(QSizeF size, double pixelRatio)
{
    return {static_cast<int>(std::ceil(size.width() * pixelRatio)), static_cast<int>(std::ceil(size.height() * pixelRatio))};
}

} // namespace

Camera MapRendering::cameraFor(const CanvasScene& scene, QSizeF size)
{
    return Camera::fitting(scene.bounds(), size, kMapPad, 1);
}

MapRendering::MapRendering(const CanvasScene& scene, QSizeF size, double pixelRatio)
    : m_size(size), m_pixelRatio(pixelRatio), m_revision(scene.revision()),
      m_image(pixelsOf(size, pixelRatio), QImage::Format_RGB32)
{
    m_image.setDevicePixelRatio(pixelRatio);
    m_image.fill(scene.style().theme->panel);
    m_pixels.resize(static_cast<std::size_t>(m_image.width()) * static_cast<std::size_t>(m_image.height()));
}

bool MapRendering::isOf(const CanvasScene& scene, QSizeF size, double pixelRatio) const
{
    return isCurrent(scene) && m_image.size() == pixelsOf(size, pixelRatio);
}

bool MapRendering::advance(const CanvasScene& scene)
{
    const Camera camera = cameraFor(scene, m_size);
    QPainter painter(&m_image);
    const PaintContext context{.picture = scene.picture(),
                               .style = scene.style(),
                               .looks = scene.looks(),
                               .camera = camera,
                               .view = QRectF(QPointF(), m_size),
                               .pixelRatio = m_pixelRatio};
    ItemPainter items(painter, context);
    const auto count = static_cast<std::uint32_t>(scene.tables().size());
    for (std::uint32_t cost = 0; m_next < count && cost < kSliceCost; ++m_next) {
        const ItemId item(m_next);
        const bool isPixel = takePixel(scene, camera, item);
        cost += isPixel ? 1 : kPaintedCost;
        if (isPixel)
            continue;
        if (scene.tables().isFrame(item))
            items.paintFrame(item);
        else
            items.paintMark(item);
    }
    painter.end();
    if (m_next < count)
        return false;
    finish(scene, camera);
    return true;
}

/// Records an item as a pixel; returns false if it is larger than that.
bool MapRendering::takePixel(const CanvasScene& scene, const Camera& camera, ItemId item)
{
    const Rect& rect = scene.tables().rectOf(item);
    const double scale = camera.zoom() * m_pixelRatio;
    if (rect.width * scale > 1 || rect.height * scale > 1)
        return false;
    const QPointF at = camera.toView(rect).topLeft() * m_pixelRatio;
    const bool isInside = at.x() >= 0 && at.y() >= 0 && at.x() < m_image.width() && at.y() < m_image.height();
    if (scene.tables().isFrame(item) || !isInside)
        return true; // frames of one pixel are not drawn
    const ItemLook look = scene.looks()[item];
    const bool hasTag = look.tag != PictureStyle::kTakesNoTag && look.tag != PictureStyle::kUntagged;
    const Mark mark = look.marked || look.backward ? Mark::error
        : look.isRinged()                          ? Mark::ring
        : hasTag                                   ? Mark::tag
                                                   : Mark::plain;
    Pixel& pixel =
        m_pixels[static_cast<std::size_t>(at.y()) * static_cast<std::size_t>(m_image.width()) + static_cast<std::size_t>(at.x())];
    if (mark <= pixel.mark)
        return true;
    // An item with several tags gets the color of the first one.
    const std::span<const StripPart> strip = look.tag == ItemLook::kMixed ? scene.looks().strip(item)
                                                                          : std::span<const StripPart>();
    pixel = {mark, strip.empty() ? look.tag : strip.front().tag};
    return true;
}

void MapRendering::finish(const CanvasScene& scene, const Camera& camera)
{
    paintPixels(scene);
    QPainter painter(&m_image);
    for (const PictureLooks::BackwardRoute& route : scene.looks().backward()) {
        const QPointF middle = camera.toView(scene.item(route.to).rect.center());
        painter.fillRect(QRectF(middle - QPointF(2.5, 2.5), QSizeF(5, 5)), scene.style().theme->error);
    }
}

/// Rings extend to adjacent pixels of lower rank, so that a single one is visible.
void MapRendering::paintPixels(const CanvasScene& scene)
{
    const Theme& theme = *scene.style().theme;
    const int width = m_image.width();
    const int height = m_image.height();
    const int reach = static_cast<int>(std::lround(m_pixelRatio));
    const auto set = [this](int x, int y, const QColor& color) { reinterpret_cast<QRgb*>(m_image.scanLine(y))[x] = color.rgb(); };
    const auto forAll = [&](Mark mark, const auto& visit) {
        const Pixel* pixel = m_pixels.data();
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x, ++pixel)
                if (pixel->mark == mark)
                    visit(x, y, pixel->tag);
    };
    const QColor plain = markColor(scene.style(), PictureStyle::kUntagged);
    forAll(Mark::plain, [&](int x, int y, std::int32_t) { set(x, y, plain); });
    forAll(Mark::tag, [&](int x, int y, std::int32_t tag) { set(x, y, markColor(scene.style(), tag)); });
    forAll(Mark::ring, [&](int x, int y, std::int32_t) {
        for (int j = std::max(0, y - reach); j <= std::min(height - 1, y + reach); ++j)
            for (int i = std::max(0, x - reach); i <= std::min(width - 1, x + reach); ++i)
                set(i, j, theme.selection);
    });
    forAll(Mark::error, [&](int x, int y, std::int32_t) { set(x, y, theme.error); });
}

} // namespace sunder
