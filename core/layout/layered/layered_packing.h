#pragma once

#include "layout/geometry.h"

#include <vector>

namespace sunder::layered {

/// Top left corners for separately drawn parts: the tall ones from left to right, small ones stacked in columns
/// beside them as far as they are high, in rows of which none is much wider than all is high. O(n log n).
std::vector<Point> packParts(const std::vector<Size>& sizes, float gap);

} // namespace sunder::layered
