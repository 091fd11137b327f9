#pragma once

#include "layout/layered/layered_lanes.h"

namespace sunder::layered {

/// Vertices of neighbouring ranks that share their x: straight pieces of the drawing.
struct Blocks {
    std::vector<Index> blockOf; ///< per vertex
    Index count = 0;
    Index mainBlock = kNone; ///< the one with most of the main path
};

/// The vertices of the heaviest path, from its source to its sink, lanes in between included. Between equally heavy
/// ways it takes the middle one, so that what fans out lies around it.
std::vector<Index> mainPath(const Layering& layering);

/// Joins vertices to blocks along segments, at most one above and one below each vertex, never two segments that
/// cross: first the main path, then lanes, then by weight and by how near the middle of its ends' fans a segment is.
/// A simplification of the alignment by Brandes and Köpf (2002) that prefers what matters to the reader.
Blocks alignBlocks(const Layering& layering, const std::vector<Index>& mainPath);

} // namespace sunder::layered
