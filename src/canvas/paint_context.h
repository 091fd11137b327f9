#pragma once

#include "canvas/camera.h"
#include "canvas/picture_looks.h"

#include <QPainter>

#include <cmath>

namespace sunder {

/// The common input of all picture painters. They work in view coordinates. If they paint pixels, the painter's device must have
/// its pixel ratio set.
struct PaintContext {
    const Picture& picture;
    const PictureStyle& style;
    const PictureLooks& looks;
    Camera camera;
    QRectF view;             ///< part of the view to paint
    double pixelRatio = 1;   ///< device pixels per view pixel, for aligning lines to pixels
    bool vector = false;     ///< vector output: paints every text, aligns nothing to pixels
    double overlayScale = 1; ///< size of cards, which do not scale with the zoom on the screen

    [[nodiscard]] const Theme& theme() const { return *style.theme; }
    [[nodiscard]] double zoom() const { return camera.zoom(); }

    /// Returns the rectangle in view coordinates, with its edges at the centers of device pixels, where 1 px lines are crisp.
    [[nodiscard]] QRectF viewRect(const Rect& scene) const
    {
        const QRectF at = camera.toView(scene);
        if (vector)
            return at;
        const auto snap = [this](double v) { return (std::floor(v * pixelRatio) + 0.5) / pixelRatio; };
        return {QPointF(snap(at.left()), snap(at.top())), QPointF(snap(at.right()), snap(at.bottom()))};
    }
};

/// Level of detail of an item by its size in the view.
enum class Detail : std::uint8_t {
    mark, ///< a spot in the tag color
    box, ///< fill, border, stripe or strip
    label, ///< also its operator or class
    full, ///< also name, shape, bytes, notes, chips: from `kReadableZoom` on
};

/// Returns the level of detail for a height in view pixels and a zoom. Text is at least 8 px high, or omitted.
Detail detailOf(double viewHeight, double zoom);

/// Side of the dot that replaces a chip below `kReadableZoom`, at 100%. It is at the start of the chip.
constexpr float kChipDot = 8;

/// Text below 8 px is unreadable.
constexpr double kMinTextPixels = 8;

} // namespace sunder
