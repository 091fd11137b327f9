#pragma once

#include "analysis/tag_assignment.h"
#include "ir/identity_map.h"

namespace sunder {

/// The cut that a pass made, as tags of the source: `order` names the modules that the root graph of `split` calls, in
/// order of execution, and a call of the source is in the part whose graph has its copy (the first, when several have
/// one). So metrics, previews and comparisons work on the result of every pass that cuts: by tags, by a partition per
/// node, by devices. Calls without a copy in a part stay untagged. O(nodes + pairs).
TagAssignment partAssignment(const Program& source, const Program& split, const IdentityMap& map);

} // namespace sunder
