#pragma once

#include "tagging/problem.h"

namespace sunder {

/// Moves problems that the first fix of an error also removes after that error, and a failed equivalence after the first broken
/// order or region; sets Problem::goesWith. Other problems keep their order. O(problems) for each of the first 20 errors.
void groupRelated(Problems& problems);

} // namespace sunder
