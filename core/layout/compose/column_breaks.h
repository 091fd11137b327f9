#pragma once

#include <cstdint>
#include <vector>

namespace sunder::compose {

/// A line across a body with nothing but edges on it may end a column. What lies between two such lines is a band.
struct Band {
    float top = 0;
    float bottom = 0;
    std::uint32_t crossing = 0;  ///< edges that would be cut behind it
    bool endsModule = false;     ///< a module's box or frame ends with it, or one begins behind it
};

/// Divides bands, from the top down, into columns of at most `height` (a higher band has a column of its own): about
/// equally high, cut where few edges cross, at the borders of modules first. Returns the first band of every column;
/// the first is 0. O(bands × bands of a column).
std::vector<std::uint32_t> columnBreaks(const std::vector<Band>& bands, float height);

} // namespace sunder::compose
