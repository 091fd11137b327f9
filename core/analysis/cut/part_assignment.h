#pragma once

#include "analysis/tag_assignment.h"
#include "ir/identity_map.h"

namespace sunder {

/// Returns the cut made by a pass as tags of the source. `order` names the modules called by the root graph of `split`, in
/// execution order. A source call is in the part whose graph has its copy (the first of several); calls without a copy stay
/// untagged. This makes metrics, previews and comparisons work for all passes that cut: by tags, by a partition per node, by
/// devices. O(nodes + pairs).
TagAssignment partAssignment(const Program& source, const Program& split, const IdentityMap& map);

} // namespace sunder
