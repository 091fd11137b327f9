#pragma once

#include "canvas/paint_context.h"

#include <span>
#include <vector>

namespace sunder {

/// The name of a frame whose own title is too small to be read: like that of a town on a map, of constant size.
struct MapLabel {
    ItemId frame;
    QString text; ///< the frame's title, or as much of its end as fits into the frame: "layers.15", "15"
    QRectF at;    ///< view coordinates; lies in the frame
};

/// Names of the frames in the view, none over another: those of large frames first, then as many of the smaller ones as find
/// room. Empty where titles are read anyway. `frames` by falling size (PictureTables::framesBySize()). Costs what frames
/// are large enough for a name, up to 4,000 of them.
std::vector<MapLabel> placeMapLabels(const PaintContext& context, std::span<const ItemId> frames);

void paintMapLabels(QPainter& painter, const PaintContext& context, std::span<const MapLabel> labels);

} // namespace sunder
