#pragma once

#include "canvas/camera.h"
#include "canvas/canvas_scene.h"

namespace sunder {

/// Margin around a fitted picture, in pixels.
inline constexpr double kFitMargin = 20;

/// Minimum zoom at which titles are readable: 8 of their 11 px.
inline constexpr double kTitlesZoom = 8.0 / 11.0;

/// Minimum zoom for fitting pictures that have columns or are wider than the view. Titles have their minimum size then, and some
/// are elided.
inline constexpr double kColumnsZoom = 0.45;

/// Returns the camera that fits a picture. The labels of chips count only where they are drawn: below kReadableZoom, they are dots.
Camera wholeCamera(const CanvasScene& scene, QSizeF view, double maxZoom);

/// Returns whether a picture is fitted when it opens: if titles are readable then or, for pictures with columns or boxes wider
/// than the view, most titles. False if all boxes are readable at a larger zoom that leaves only labels of chips outside.
bool opensWhole(const CanvasScene& scene, QSizeF view);

/// Returns the initial camera of a picture: fitted if opensWhole(); otherwise as wide as the view if titles are readable then;
/// otherwise at a zoom where all texts are readable. It shows the start of the picture with its first input. `covered`: pixels at
/// the right edge of the view that are covered by something else.
Camera openingCamera(const CanvasScene& scene, QSizeF view, double covered = 0);

/// Returns the camera for a new picture that keeps the item of `anchor` in place, so that opening and closing do not jump: an
/// opened frame keeps the position of the closed box and vice versa. An opened frame is moved only to make more of it visible:
/// into the view or, if it is larger, to its start. Without a valid anchor, the item nearest to the center of the view is kept in
/// place.
Camera keepingPlace(const Camera& camera, const CanvasScene& before, const CanvasScene& after, NodeId anchor, QSizeF view);

/// Returns the camera moved so that the items of these nodes are visible. It does not move if they are visible, or if they do not
/// fit and one of them is; it centers on the first if they do not fit.
Camera showingNodes(const CanvasScene& scene, const Camera& camera, std::span<const NodeId> nodes, QSizeF view);
/// Returns the camera centered on the item of the first node that has one; unchanged if none has.
Camera centeredOnFirst(const CanvasScene& scene, const Camera& camera, std::span<const NodeId> nodes, QSizeF view);

} // namespace sunder
