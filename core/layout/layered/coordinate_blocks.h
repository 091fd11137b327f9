#pragma once

#include "layout/layered/layered_lanes.h"

namespace sunder::layered {

/// Vertices of neighboring ranks that share their x, i.e. straight pieces of the drawing.
struct Blocks {
    std::vector<Index> blockOf; ///< per vertex
    Index count = 0;
    Index mainBlock = kNone; ///< the block with most of the main path
};

/// Returns the vertices of the heaviest path from source to sink, including lanes. Among equally heavy paths it takes the middle
/// one, so that branches surround it.
std::vector<Index> mainPath(const Layering& layering);

/// Joins vertices to blocks along segments: at most one segment above and one below each vertex, and no two that cross. The main
/// path comes first, then lanes, then the other segments by weight and by distance from the middle of their fans. A
/// simplification of the alignment by Brandes and Köpf (2002) that prefers the segments most important to the reader.
Blocks alignBlocks(const Layering& layering, const std::vector<Index>& mainPath);

} // namespace sunder::layered
