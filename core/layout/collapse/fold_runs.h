#pragma once

#include "layout/collapse/collapse_scopes.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace sunder::collapse {

/// A child of a body as folding sees it: a module call, or (scope kNone) a plain unit.
struct Sibling {
    Index scope = kNone;
    std::string_view path = {};
    Index call = 0;
    InternedString cls = {};
    bool breaksRuns = false; ///< a member of another run: no run goes on behind it
};

/// Places of equal siblings in a sequence, ascending; at least kLeastRun of them.
using Run = std::vector<Index>;
inline constexpr Index kLeastRun = 3;
inline constexpr Index kLeastRest = 2; ///< members that stay folded where another member of their run is open

/// Finds runs among siblings in order of execution: module calls one behind the other (plain units between them do not
/// count) of one class, whose paths differ in one ascending number ("layers.3", "layers.4") or only in
/// their call index, and whose structure is equal. `structureOf(i)` is asked only of siblings that pass the rest.
std::vector<Run> findRuns(const std::vector<Sibling>& siblings, const std::function<std::uint64_t(Index)>& structureOf);

} // namespace sunder::collapse
