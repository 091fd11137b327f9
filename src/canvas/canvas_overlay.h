#pragma once

#include "canvas/backward_cards.h"
#include "canvas/canvas_scene.h"

namespace sunder {

/// Paints the relations of an item over the picture: its producers and consumers in two colors, and the chips of their values.
void paintRelations(QPainter& painter, const PaintContext& context, const CanvasScene& scene, ItemId item);

enum class EdgeEmphasis : std::uint8_t { pointed, selected };

/// Highlights edges, with the items and chips at both ends. Cut edges are drawn from end to end.
void paintEdges(QPainter& painter, const PaintContext& context, std::span<const std::uint32_t> edges, EdgeEmphasis emphasis);

/// Paints the focus ring around the current item.
void paintFocusRing(QPainter& painter, const PaintContext& context, ItemId item);

} // namespace sunder
