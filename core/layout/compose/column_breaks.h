#pragma once

#include <cstdint>
#include <vector>

namespace sunder::compose {

/// The part of a body between two horizontal lines that cross only edges, no boxes. A column may end at such a line.
struct Band {
    float top = 0;
    float bottom = 0;
    std::uint32_t crossing = 0;  ///< number of edges that a cut after the band crosses
    bool endsModule = false;     ///< a module or frame ends with the band or begins after it
};

/// Divides bands, from the top down, into columns of at most `height`; a taller band gets its own column. Prefers columns of
/// equal height, cuts that cross few edges, and cuts at module boundaries. Returns the first band of every column; the first is
/// 0. O(bands × bands per column).
std::vector<std::uint32_t> columnBreaks(const std::vector<Band>& bands, float height);

} // namespace sunder::compose
