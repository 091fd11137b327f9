#pragma once

#include "layout/layered_lanes.h"

namespace sunder::layered {

/// Counts crossings between neighbouring ranks with an accumulator tree (Barth, Jünger, Mutzel 2002):
/// O(segments · log width). Keeps its scratch memory between calls.
class CrossingCounter {
public:
    /// Crossings between `rank` and the next.
    std::uint64_t between(const Layering& layering, Index rank);
    /// Crossings in all.
    std::uint64_t total(const Layering& layering);

private:
    std::vector<Index> m_lower;
    std::vector<std::uint32_t> m_tree;
};

} // namespace sunder::layered
