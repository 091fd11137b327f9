#pragma once

#include "layout/collapse/collapse.h"
#include "layout/picture/picture_values.h"

namespace sunder::compose {

/// Places the items of a picture and draws its edges: every frame's body is laid out on its own, from the inside out,
/// then the frame is a box in the body around it. Edges that cross a border meet there, at the frame's upper border
/// coming in and at its lower going out. Bodies of equal boxes and edges are laid out once. In columns where the options want
/// it: some five compositions are tried then. Sets rects, chips, edges, size and columns of `picture`, whose items
/// correspond to the entries. Fails when cancelled or when the engine does.
Result<void> composePicture(const Graph& graph, const collapse::Collapsed& collapsed,
                            const std::vector<collapse::Dependency>& dependencies, const LayoutEngine& engine,
                            const PictureOptions& options, Picture& picture, ProgressMonitor& monitor);

} // namespace sunder::compose
