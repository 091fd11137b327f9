#pragma once

#include "canvas/backward_cards.h"
#include "canvas/paint_context.h"
#include "layout/picture/picture_index.h"

#include <functional>
#include <vector>

namespace sunder {

/// Paints the part of the picture that lies in `context.view`: frames, edges, items, backward edges; not the ground,
/// not the cards of backward edges. The one path by which pictures reach screen, SVG, PNG and PDF. `index` belongs to
/// the same picture. Costs about what is seen.
void paintPicture(QPainter& painter, const PaintContext& context, const PictureIndex& index);

/// A piece of that painting. Holds references to the context.
using PaintPiece = std::function<void(QPainter&)>;
/// All of it, in order, in pieces of at most `most` items or edges: for writers that cannot hold a whole picture.
std::vector<PaintPiece> paintPieces(const PaintContext& context, const PictureIndex& index, std::size_t most);

} // namespace sunder
