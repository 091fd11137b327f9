#pragma once

#include "analysis/tag_assignment.h"
#include "ir/identity_map.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <utility>
#include <vector>

namespace sunder {

struct SplitOptions {
    bool returnTuple = false; ///< a part with one result returns a tuple of one
};

/// What a split makes.
struct SplitResult {
    Program program;  ///< root graph that calls one submodule a tag; every part has a graph of its own
    IdentityMap map;  ///< nodes of the source → nodes of `program`
    std::vector<std::pair<InternedString, InternedString>> fqnMap; ///< called module or read attribute: old → new name
    std::vector<GraphId> parts; ///< per tag: the graph of its part
};

/// Splits the root graph into one submodule a tag, node for node as torch.fx's split_by_tags does: names, metas,
/// placeholders, attributes, module tree and all. Refuses, as PyTorch does, a call without a tag, a tag that is not
/// in the order, a tag order that runs against an edge, and tags that cannot name a module; each with node and tags
/// in its message. Nested graphs of control flow and the modules that a part calls travel with it.
/// O(nodes + arguments + tensors + modules).
Result<SplitResult> splitByTags(const Program& source, const TagAssignment& tags, const SplitOptions& options = {},
                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
