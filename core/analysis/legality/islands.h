#pragma once

#include "analysis/legality/legality_tables.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Calls without a data edge to the rest of their tag, such as an accidental brush stroke leaves. Reported if they are few and
/// surrounded by other tags. A part with several large pieces (parallel branches) has no island. Calls that compute nothing
/// (assertions, unused results) are never reported: their position does not matter, and pictures do not show them.
struct CallIsland {
    std::int32_t tag = TagAssignment::kUntagged;
    std::vector<std::uint32_t> calls; ///< ascending
    std::int32_t neighbor = TagAssignment::kUntagged; ///< the other tag with the most edges to the island, the first in a tie
    friend bool operator==(const CallIsland&, const CallIsland&) = default;
};

/// An island has at most a tenth of the calls of its tag; all other pieces are large.
inline constexpr std::size_t kIslandShare = 10;

/// Finds islands of the tags for which `isWanted` (per tag) is 1, by their first calls. A piece without an edge to another tag is
/// not an island, since there is no tag to assign it to. `tagOf` is per call. O(calls + edges).
std::vector<CallIsland> findIslands(const LegalityTables& tables, std::span<const std::int32_t> tagOf,
                                    std::span<const std::uint8_t> isWanted);

} // namespace sunder
