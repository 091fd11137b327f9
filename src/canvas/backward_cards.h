#pragma once

#include "canvas/paint_context.h"

#include <QRectF>

#include <vector>

namespace sunder {

/// The small card at a backward edge: what is wrong, how many bytes. Cards keep their size at most zooms; far out, and
/// where there is no room, a small red mark takes their place.
struct BackwardCard {
    std::uint32_t mark = 0; ///< index into PictureStyle::backward
    QRectF rect;            ///< in view coordinates
    bool small = false;     ///< only the mark
};

/// Places cards on the routes that are seen in `context.view`, none on another. At most 200.
std::vector<BackwardCard> placeBackwardCards(const PaintContext& context);

/// Paints them, with a soft shadow. `hovered` (index into cards, or -1) is lifted.
void paintBackwardCards(QPainter& painter, const PaintContext& context, const std::vector<BackwardCard>& cards, int hovered = -1);

} // namespace sunder
