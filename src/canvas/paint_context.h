#pragma once

#include "canvas/camera.h"
#include "canvas/picture_looks.h"

#include <QPainter>

#include <cmath>

namespace sunder {

/// What every painter of a part of a picture needs to know. Painters work in view coordinates; a painter of pixels
/// has its device pixel ratio set by whoever made it.
struct PaintContext {
    const Picture& picture;
    const PictureStyle& style;
    const PictureLooks& looks;
    Camera camera;
    QRectF view;             ///< the part of the view to paint
    double pixelRatio = 1;   ///< device pixels per view pixel, to lay lines onto pixels
    bool vector = false;     ///< no pixels: every text is painted, nothing is laid onto pixels
    double overlayScale = 1; ///< size of cards, which on the screen do not grow with the zoom

    [[nodiscard]] const Theme& theme() const { return *style.theme; }
    [[nodiscard]] double zoom() const { return camera.zoom(); }

    /// The rectangle in view coordinates; with its edges in the middle of device pixels, where 1 px lines are crisp.
    [[nodiscard]] QRectF viewRect(const Rect& scene) const
    {
        const QRectF at = camera.toView(scene);
        if (vector)
            return at;
        const auto snap = [this](double v) { return (std::floor(v * pixelRatio) + 0.5) / pixelRatio; };
        return {QPointF(snap(at.left()), snap(at.top())), QPointF(snap(at.right()), snap(at.bottom()))};
    }
};

/// How much of an item is worth painting at its size in the view.
enum class Detail : std::uint8_t {
    mark,  ///< a spot of the tag's colour
    box,   ///< fill, border, stripe or strip
    label, ///< and what it does
    full,  ///< and who it is, shape, bytes, notes, chips: from `kReadableZoom` on
};

/// By height in view pixels and zoom; text stays at 8 px or more, or leaves.
Detail detailOf(double viewHeight, double zoom);

/// Below 8 px text is a smear.
constexpr double kLeastTextPixels = 8;

} // namespace sunder
