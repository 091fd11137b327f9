#pragma once

#include "tagging/problem.h"

namespace sunder {

/// Puts behind each error what its first repair removes as well, and behind the first broken order or region that the parts are
/// not proven equal; sets Problem::goesWith. The rest stays in its order. O(problems), times the first 20 errors.
void groupRelated(Problems& problems);

} // namespace sunder
