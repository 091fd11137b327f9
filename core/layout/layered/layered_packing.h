#pragma once

#include "layout/geometry.h"

#include <vector>

namespace sunder::layered {

/// Returns the top-left corners for separately drawn parts. Parts are placed in rows by descending height, and smaller parts are
/// stacked in columns up to the height of the row. The row width is chosen so that the drawing is roughly square. O(n log n).
std::vector<Point> packParts(const std::vector<Size>& sizes, float gap);

} // namespace sunder::layered
