#pragma once

#include "analysis/tag_assignment.h"
#include "ir/identity_map.h"

namespace sunder {

/// Returns the module of each source call in a result. `order` holds the paths of the modules that own a graph, in tree order (""
/// is the root). A call belongs to the module whose graph has its copy (the first of several). Calls without a copy, and calls in
/// graphs without an owner, are in none. O(nodes + modules + pairs).
TagAssignment moduleAssignment(const Program& source, const Program& result, const IdentityMap& map);

} // namespace sunder
