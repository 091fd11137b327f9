#pragma once

#include "analysis/legality/legality_tables.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"

namespace sunder {

/// Gives each part its own setters of global state. Replaces the setters of `program` with copies: each part sets state before
/// its first call that needs it, and leaves or resets it after the last one. `tables` are those of the program. `tags` covers
/// all calls; the copies are added to it. Requires that all setters that are active in several parts can be repeated
/// (RegionCut::canRepeat). O(calls + copies).
void giveOwnRegions(Program& program, const LegalityTables& tables, TagAssignment& tags);

} // namespace sunder
