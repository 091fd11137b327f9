#pragma once

#include "canvas/backward_cards.h"
#include "canvas/canvas_scene.h"

namespace sunder {

/// Painted over the picture: what belongs to the item in question (its producers and consumers in two colours, with
/// the chips that come from it or go to it).
void paintRelations(QPainter& painter, const PaintContext& context, const CanvasScene& scene, ItemId item);

/// The ring around the item that keys act on.
void paintFocusRing(QPainter& painter, const PaintContext& context, ItemId item);

/// Where the legend of gestures may be: corners of the view, the preferred one first; none in a small view.
std::vector<QRectF> legendPlaces(QSizeF view);
QRectF legendCross(const QRectF& legend);
void paintLegend(QPainter& painter, const Theme& theme, const QRectF& legend);

} // namespace sunder
