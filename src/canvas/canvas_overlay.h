#pragma once

#include "canvas/backward_cards.h"
#include "canvas/canvas_scene.h"

namespace sunder {

/// Painted over the picture: what belongs to the item in question (its producers and consumers in two colours, with
/// the chips that come from it or go to it).
void paintRelations(QPainter& painter, const PaintContext& context, const CanvasScene& scene, ItemId item);

enum class EdgeEmphasis : std::uint8_t { pointed, selected };

/// Edges that stand out, with the items and the chips at both ends; cut ones are drawn from end to end.
void paintEdges(QPainter& painter, const PaintContext& context, std::span<const std::uint32_t> edges, EdgeEmphasis emphasis);

/// The ring around the item that keys act on.
void paintFocusRing(QPainter& painter, const PaintContext& context, ItemId item);

} // namespace sunder
