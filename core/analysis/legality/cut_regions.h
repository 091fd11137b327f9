#pragma once

#include "analysis/legality/active_setters.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Global state that a call of one part sets for calls of another. Separate parts start without it and must not leave any.
struct RegionCut {
    std::uint32_t setter = 0; ///< index in the list of setters
    std::uint32_t call =
        GlobalSetter::kNone; ///< the first call that lacks the state or wrongly has it; none: the state is still set
    ///< at the end of its part
    std::int32_t part = -1; ///< of that call
    bool isMissing = false; ///< the call runs without it
    bool canRepeat = false; ///< the other part can repeat the setter
    friend bool operator==(const RegionCut&, const RegionCut&) = default;
};

/// The calls of a root graph, in graph order, with their relation to global state.
struct StatefulCalls {
    std::span<const GlobalSetter> setters;
    std::span<const std::uint32_t> setterCalls; ///< per setter: index of the call
    std::span<const std::uint8_t> noticesState; ///< per call
    std::span<const std::uint32_t> settersBefore; ///< per call
};

/// Finds state set in one part and active in another; one entry per setter, in order. `partOf`: per call; below 0: unknown.
/// O(calls + setters); calls in regions count once per nesting level.
std::vector<RegionCut> regionCuts(const StatefulCalls& calls, std::span<const std::int32_t> partOf);

} // namespace sunder
