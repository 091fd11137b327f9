#pragma once

#include "layout/collapse/collapse_scopes.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace sunder::collapse {

/// A child of a body for folding: a module call, or (scope kNone) a plain unit.
struct Sibling {
    Index scope = kNone;
    std::string_view path = {};
    Index call = 0;
    InternedString cls = {};
    bool breaksRuns = false; ///< member of another run: ends any run before it
};

/// Positions of equal siblings in a sequence, ascending; at least kMinRun of them.
using Run = std::vector<Index>;
inline constexpr Index kMinRun = 3;
inline constexpr Index kMinRest = 2; ///< minimum number of members that stay folded if another member is open

/// Finds runs among siblings in execution order. A run consists of consecutive module calls (ignoring plain units between them)
/// of one class and equal structure. Their paths differ in one ascending number ("layers.3", "layers.4"), or only in the call
/// index. `structureOf(i)` is called only for siblings that pass the other conditions.
std::vector<Run> findRuns(const std::vector<Sibling>& siblings, const std::function<std::uint64_t(Index)>& structureOf);

} // namespace sunder::collapse
