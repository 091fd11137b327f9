#pragma once

#include "analysis/legality/legality_tables.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Calls that stay in one part because of a written memory.
struct CopyGroups {
    std::vector<std::vector<std::uint32_t>> groups; ///< calls, ascending
    bool isStricter = false; ///< some tags that divide a group have no copyConflicts() either
};

/// Returns groups such that there are no copyConflicts() if each is in one part, and parts keep data edges and `orderedCalls`. A
/// call that reads a value after all writes to its memory is in no group: it gets a copy with these writes.
/// O((edges + uses) log of these), unless views of old values are written between many uses.
CopyGroups copyGroups(const LegalityTables& tables);

} // namespace sunder
