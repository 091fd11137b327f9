#pragma once

#include "canvas/backward_cards.h"
#include "canvas/paint_context.h"
#include "layout/picture/picture_index.h"

#include <functional>
#include <vector>

namespace sunder {

/// Paints the part of the picture in `context.view`: frames, edges, items, and backward edges, but neither the background nor the
/// cards of backward edges. Used for screen, SVG, PNG, and PDF. `index` belongs to the same picture. Cost roughly proportional to
/// the visible items.
void paintPicture(QPainter& painter, const PaintContext& context, const PictureIndex& index);

/// A piece of that painting. Holds references to the context.
using PaintPiece = std::function<void(QPainter&)>;
/// Returns the whole painting in order, in pieces of at most `most` items or edges, for writers that cannot hold a whole picture.
std::vector<PaintPiece> paintPieces(const PaintContext& context, const PictureIndex& index, std::size_t most);

} // namespace sunder
