#pragma once

#include "canvas/paint_context.h"

#include <QRectF>

#include <vector>

namespace sunder {

/// The small card beside a backward edge, with a leader to it: what is wrong, how many bytes. Cards keep their size at most
/// zooms; far out, and where there is no room, a small red mark on the edge takes their place.
struct BackwardCard {
    std::uint32_t mark = 0; ///< index into PictureStyle::backward
    QRectF rect;            ///< in view coordinates
    QPointF anchor;         ///< the point of the edge that the leader leads to; of a mark its middle
    bool small = false;     ///< only the mark
};

/// Places cards beside the routes that are seen in `context.view`: none on a backward edge, a closed item, the title of a frame or
/// another card. At most 200. O(items + cards × (routes + items in view)).
std::vector<BackwardCard> placeBackwardCards(const PaintContext& context);

/// Paints them, with a soft shadow. `hovered` (index into cards, or -1) is lifted.
void paintBackwardCards(QPainter& painter, const PaintContext& context, const std::vector<BackwardCard>& cards, int hovered = -1);

} // namespace sunder
