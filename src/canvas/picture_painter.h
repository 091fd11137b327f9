#pragma once

#include "canvas/backward_cards.h"
#include "canvas/paint_context.h"
#include "layout/picture/picture_index.h"

namespace sunder {

/// Paints the part of the picture that lies in `context.view`: frames, edges, items, backward edges; not the ground,
/// not the cards of backward edges. The one path by which pictures reach screen, SVG, PNG and PDF. `index` belongs to
/// the same picture. Costs about what is seen.
void paintPicture(QPainter& painter, const PaintContext& context, const PictureIndex& index);

} // namespace sunder
