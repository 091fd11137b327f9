#pragma once

#include "canvas/camera.h"
#include "canvas/canvas_scene.h"

namespace sunder {

/// Kept free around what is shown whole, pixels.
inline constexpr double kFitMargin = 20;

/// Titles are still read at this zoom: 8 of their 11 px.
inline constexpr double kTitlesZoom = 8.0 / 11.0;

/// What is set in columns, or is wider than its view, is shown whole down to this zoom, where titles have their least size and
/// some are shortened.
inline constexpr double kColumnsZoom = 0.45;

/// The picture is seen whole when it opens: titles can be read then, or, in columns or where boxes are wider than the view, most.
bool opensWhole(const CanvasScene& scene, QSizeF view);

/// The camera with which a picture opens: whole, see opensWhole(), else as wide as the view where titles can be read in that, else
/// with all of its texts; at the beginning of the picture, its first input in sight. `covered`: pixels at the right border that
/// something else takes.
Camera openingCamera(const CanvasScene& scene, QSizeF view, double covered = 0);

/// The camera for a new picture that shows what `anchor` belongs to in the place where the old one did, so that
/// opening and closing does not jump: the opened frame keeps the place of the closed box and the other way round. An
/// opened frame is moved only where more of it can be seen: into the view, or, when it is larger, to its beginning.
/// Without a valid anchor, the item nearest to the middle of the view keeps its place.
Camera keepingPlace(const Camera& camera, const CanvasScene& before, const CanvasScene& after, NodeId anchor, QSizeF view);

/// Moved such that the items of these nodes are seen: not at all when they are, or, where they do not fit, one of them is; else
/// centred on the first.
Camera showingNodes(const CanvasScene& scene, const Camera& camera, std::span<const NodeId> nodes, QSizeF view);
/// Centred on the item of the first node that has one; as it is when none has.
Camera centeredOnFirst(const CanvasScene& scene, const Camera& camera, std::span<const NodeId> nodes, QSizeF view);

} // namespace sunder
