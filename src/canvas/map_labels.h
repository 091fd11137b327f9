#pragma once

#include "canvas/paint_context.h"

#include <span>
#include <vector>

namespace sunder {

/// A name of constant size for a frame whose own title is too small to read, as for towns on a map.
struct MapLabel {
    ItemId frame;
    QString text; ///< the frame's title, or as many trailing parts as fit into the frame: "layers.15", "15"
    QRectF at;    ///< view coordinates; inside the frame
};

/// Places the names of frames in the view without overlaps: large frames first, then as many smaller ones as fit. Empty if the
/// titles are readable. `frames` are sorted by descending size (PictureTables::framesBySize()). Cost proportional to the frames
/// large enough for a name, at most 4,000.
std::vector<MapLabel> placeMapLabels(const PaintContext& context, std::span<const ItemId> frames);

void paintMapLabels(QPainter& painter, const PaintContext& context, std::span<const MapLabel> labels);

} // namespace sunder
