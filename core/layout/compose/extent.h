#pragma once

#include <algorithm>
#include <limits>

namespace sunder::compose {

/// A bounding box of boxes and routes; inverted while empty.
struct Extent {
    float left = std::numeric_limits<float>::max();
    float right = std::numeric_limits<float>::lowest();
    float top = std::numeric_limits<float>::max();
    float bottom = std::numeric_limits<float>::lowest();

    void addX(float x)
    {
        left = std::min(left, x);
        right = std::max(right, x);
    }
    void addY(float y)
    {
        top = std::min(top, y);
        bottom = std::max(bottom, y);
    }
};

} // namespace sunder::compose
