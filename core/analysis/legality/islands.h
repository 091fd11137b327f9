#pragma once

#include "analysis/legality/legality_tables.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Calls of a tag that no data edge joins to the rest of it, as a slip of the brush leaves them: told where they are few and lie
/// among the calls of other tags. Parts with several large pieces (branches side by side) have no island, nor are calls told that
/// compute nothing (assertions, unused results): it does not matter where these run, and pictures do not show them.
struct CallIsland {
    std::int32_t tag = TagAssignment::kUntagged;
    std::vector<std::uint32_t> calls; ///< ascending
    std::int32_t neighbour = TagAssignment::kUntagged; ///< the other tag that most edges join it to, the first of equals
    friend bool operator==(const CallIsland&, const CallIsland&) = default;
};

/// An island has at most a tenth of the calls of its tag; what is left is joined to the largest piece or large itself.
inline constexpr std::size_t kIslandShare = 10;

/// Islands of the tags for which `isWanted` (per tag) is 1, by their first calls. A piece that no edge joins to another tag is
/// none: there is nothing to join it to. `tagOf` per call. O(calls + edges).
std::vector<CallIsland> findIslands(const LegalityTables& tables, std::span<const std::int32_t> tagOf,
                                    std::span<const std::uint8_t> isWanted);

} // namespace sunder
