#pragma once

#include "analysis/legality/active_setters.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Global state that a call of one part sets for calls of another: as models of their own, parts begin without it, and leave none.
struct RegionCut {
    std::uint32_t setter = 0; ///< in the list of setters
    std::uint32_t call =
        GlobalSetter::kNone; ///< the first that runs without it, or with it and should not; none: it is still set
    ///< when its part is over
    std::int32_t part = -1; ///< of that call
    bool isMissing = false; ///< the call runs without it
    bool canRepeat = false; ///< the other part can set the same
    friend bool operator==(const RegionCut&, const RegionCut&) = default;
};

/// The calls of a root graph, in graph order, as far as global state concerns them.
struct StatefulCalls {
    std::span<const GlobalSetter> setters;
    std::span<const std::uint32_t> setterCalls; ///< per setter: number of the call
    std::span<const std::uint8_t> noticesState; ///< per call
    std::span<const std::uint32_t> settersBefore; ///< per call
};

/// What is set in one part and holds in another, one for each setter, in their order. `partOf` per call; below 0: not known.
/// O(calls + setters), for calls in regions times the depth of these.
std::vector<RegionCut> regionCuts(const StatefulCalls& calls, std::span<const std::int32_t> partOf);

} // namespace sunder
