#include "canvas/minimap.h"

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
    const std::optional<CostColors>& costs = scene.style().costs;
    const bool hasTag = costs ? look.cost.isKnown()
                              : look.tag != PictureStyle::kTakesNoTag && look.tag != PictureStyle::kUntagged;
    const Mark mark = look.marked || look.backward ? Mark::error
        : look.isRinged()                          ? Mark::ring
        : hasTag                                   ? Mark::tag
                                                   : Mark::plain;
    Pixel& pixel =
        m_pixels[static_cast<std::size_t>(at.y()) * static_cast<std::size_t>(m_image.width()) + static_cast<std::size_t>(at.x())];
    if (mark <= pixel.mark)
        return true;
    // An item with several tags gets the color of the first one.
    const bool isMixed = look.tag == ItemLook::kMixed && !costs;
    const std::span<const StripPart> strip = isMixed ? scene.looks().strip(item) : std::span<const StripPart>();
    const QColor color = strip.empty() ? markColor(scene.style(), look) : markColor(scene.style(), strip.front().tag);
    pixel = {mark, color.rgb()};
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
                    visit(x, y, pixel->color);
    };
    const QColor plain = markColor(scene.style(), PictureStyle::kUntagged);
    forAll(Mark::plain, [&](int x, int y, QRgb) { set(x, y, plain); });
    forAll(Mark::tag, [&](int x, int y, QRgb color) { set(x, y, QColor(color)); });
    forAll(Mark::ring, [&](int x, int y, QRgb) {
        for (int j = std::max(0, y - reach); j <= std::min(height - 1, y + reach); ++j)
            for (int i = std::max(0, x - reach); i <= std::min(width - 1, x + reach); ++i)
                set(i, j, theme.selection);
    });
    forAll(Mark::error, [&](int x, int y, QRgb) { set(x, y, theme.error); });
}

namespace {

constexpr double kMargin = 12;
constexpr double kMaxWidth = 160;
constexpr double kMaxHeight = 220;
constexpr double kMinSide = 36;
constexpr double kSeenEnough = 0.7; ///< visible fraction of the picture's area above which a map is not useful
constexpr double kReadZoom = 0.3; ///< minimum zoom at which covered items are readable
constexpr double kThinOpacity = 0.45;
constexpr std::size_t kSlowItems = 20'000;

} // namespace

QRectF Minimap::rect(const CanvasScene& scene, const Camera& camera, QSizeF view) const
{
    const Rect bounds = scene.bounds();
    const QRectF picture = camera.toView(bounds);
    const QRectF seen = QRectF(QPointF(), view).intersected(picture);
    const bool seenEnough = seen.width() * seen.height() >= kSeenEnough * picture.width() * picture.height();
    if (scene.isEmpty() || seenEnough || view.width() < 260 || view.height() < 200)
        return {};
    const double mostHeight = std::min(kMaxHeight, view.height() * 0.42);
    const double mostWidth = std::min(kMaxWidth, view.width() * 0.2);
    const double zoom = std::min(mostWidth / bounds.width, mostHeight / bounds.height);
    const QSizeF size(std::clamp(bounds.width * zoom, kMinSide, mostWidth),
                      std::clamp(bounds.height * zoom, kMinSide, mostHeight));
    return {QPointF(view.width() - size.width() - kMargin, view.height() - size.height() - kMargin), size};
}

/// Returns whether readable items (ops, closed modules, chips) are below the map.
bool Minimap::covers(const QRectF& at, const CanvasScene& scene, const Camera& camera)
{
    if (camera.zoom() < kReadZoom)
        return false;
    return std::ranges::any_of(scene.index().itemsIn(camera.toScene(at)),
                               [&](std::uint32_t item) { return scene.picture().items[item].kind != ItemKind::frame; });
}

/// A small picture is rendered completely at once.
void Minimap::renew(const CanvasScene& scene, QSizeF size, double pixelRatio)
{
    if (m_shown && m_shown->isOf(scene, size, pixelRatio)) {
        m_rendering.reset();
        return;
    }
    if (!m_rendering || !m_rendering->isOf(scene, size, pixelRatio))
        m_rendering.emplace(scene, size, pixelRatio);
    while (scene.picture().items.size() <= kSlowItems && m_rendering)
        advance(scene);
}

bool Minimap::advance(const CanvasScene& scene)
{
    if (!m_rendering)
        return false;
    if (!m_rendering->isCurrent(scene)) {
        m_rendering.reset();
        return true;
    }
    if (!m_rendering->advance(scene))
        return false;
    m_shown = std::move(m_rendering);
    m_rendering.reset();
    return true;
}

void Minimap::paint(QPainter& painter, const CanvasScene& scene, const Camera& camera, QSizeF view, double pixelRatio, bool hasty)
{
    const QRectF at = rect(scene, camera, view);
    if (at.isEmpty()) {
        m_rendering.reset();
        return;
    }
    if (!hasty || scene.picture().items.size() <= kSlowItems)
        renew(scene, at.size(), pixelRatio);
    const Theme& theme = *scene.style().theme;
    painter.save();
    if (covers(at, scene, camera))
        painter.setOpacity(kThinOpacity);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, theme.dark ? 60 : 18));
    painter.drawRoundedRect(at.adjusted(-1, 0, 1, 3), 4, 4);
    if (m_shown)
        painter.drawImage(at, m_shown->image());
    else
        painter.fillRect(at, theme.panel);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.line, 1));
    painter.drawRoundedRect(at.adjusted(-0.5, -0.5, 0.5, 0.5), 3, 3);
    QRectF seen =
        MapRendering::cameraFor(scene, at.size()).toView(camera.toScene(QRectF(QPointF(), view))).translated(at.topLeft());
    seen = seen.intersected(at.adjusted(1, 1, -1, -1));
    QColor fill = theme.selection;
    fill.setAlphaF(0.12F);
    painter.setPen(QPen(theme.selection, 1.2));
    painter.setBrush(fill);
    if (!seen.isEmpty())
        painter.drawRoundedRect(seen, 2, 2);
    painter.restore();
}

Camera Minimap::cameraAt(QPointF at, const CanvasScene& scene, const Camera& camera, QSizeF view) const
{
    const QRectF map = rect(scene, camera, view);
    const QPointF point = MapRendering::cameraFor(scene, map.size()).toScene(at - map.topLeft());
    return camera.centeredOn({static_cast<float>(point.x()), static_cast<float>(point.y())}, view);
}

} // namespace sunder
