#pragma once

#include "analysis/legality/legality_tables.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"

namespace sunder {

/// Gives each part the setters of global state that its calls run under: takes those of `program` away and puts copies of them
/// in front of the first call of a part that needs them, and of what leaves and resets them behind the last. `tables` are those
/// of the program; `tags`, of all calls, gets those of the copies. All setters that hold in several parts can be repeated
/// (RegionCut::canRepeat). O(calls + copies).
void giveOwnRegions(Program& program, const LegalityTables& tables, TagAssignment& tags);

} // namespace sunder
