#pragma once

#include "layout/layered/layered_lanes.h"

namespace sunder::layered {

/// Counts crossings between neighboring ranks, weighted by Layering::crossingCost, with an accumulator tree (Barth, Jünger,
/// Mutzel 2002): O(segments · log width). Reuses its temporary memory between calls.
class CrossingCounter {
public:
    /// Cost of the crossings between `rank` and the next.
    std::uint64_t between(const Layering& layering, Index rank) { return count(layering, rank, true); }
    /// Number of these crossings, without weights.
    std::uint64_t numberBetween(const Layering& layering, Index rank) { return count(layering, rank, false); }
    /// Cost of all crossings.
    std::uint64_t total(const Layering& layering);

private:
    std::uint64_t count(const Layering& layering, Index rank, bool byCost);

    struct End {
        Index position;
        Index cost;
    };
    std::vector<End> m_lower;
    std::vector<std::uint64_t> m_tree;
};

} // namespace sunder::layered
