#pragma once

#include "layout/collapse/collapse.h"
#include "layout/picture/picture_values.h"

namespace sunder::compose {

/// Places the items of a picture and draws its edges.
///
/// Lays out the body of every frame separately, from the innermost outward; then the frame is a box in its enclosing body. Edges
/// that cross a frame's border enter at its top and leave at its bottom. Bodies with equal boxes and edges are laid out once. If
/// the options ask for columns, about five compositions are tried. Sets rects, chips, edges, size, and columns of `picture`,
/// whose items correspond to the entries. Fails when canceled or when the engine fails.
Result<void> composePicture(const Graph& graph, const collapse::Collapsed& collapsed,
                            const std::vector<collapse::Dependency>& dependencies, const LayoutEngine& engine,
                            const PictureOptions& options, Picture& picture, ProgressMonitor& monitor);

} // namespace sunder::compose
