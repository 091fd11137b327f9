#pragma once

#include "canvas/paint_context.h"

#include <QRectF>

#include <vector>

namespace sunder {

/// A small card next to a backward edge, with a leader line: it describes the problem and the bytes. Cards have a fixed size at
/// most zooms. At small zooms, and if there is no room, a small red mark on the edge replaces the card.
struct BackwardCard {
    std::uint32_t mark = 0; ///< index into PictureStyle::backward
    QRectF rect;            ///< in view coordinates
    QPointF anchor;         ///< end of the leader on the edge; for a mark: its center
    bool small = false;     ///< a mark instead of a card
};

/// Places cards next to the routes visible in `context.view`. Cards do not overlap backward edges, closed items, frame titles, or
/// each other. At most 200. O(items + cards × (routes + items in view)).
std::vector<BackwardCard> placeBackwardCards(const PaintContext& context);

/// Paints the cards with a soft shadow. The card at index `hovered` (-1: none) is raised.
void paintBackwardCards(QPainter& painter, const PaintContext& context, const std::vector<BackwardCard>& cards, int hovered = -1);

} // namespace sunder
