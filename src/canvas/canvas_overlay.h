#pragma once

#include "canvas/backward_cards.h"
#include "canvas/canvas_scene.h"

namespace sunder {

/// Painted over the picture: what belongs to the item in question (its producers and consumers in two colours, with
/// the chips that come from it or go to it).
void paintRelations(QPainter& painter, const PaintContext& context, const CanvasScene& scene, ItemId item);

/// The ring around the item that keys act on.
void paintFocusRing(QPainter& painter, const PaintContext& context, ItemId item);

} // namespace sunder
