#pragma once

#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "support/result.h"

#include <vector>

namespace sunder {

/// A split program flattened into one graph, with the part of each node. Metrics need it for a split without its source, such as
/// one opened from a file.
struct FlatSplit {
    Program program;             ///< its root graph holds the nodes of all parts in execution order
    TagAssignment parts;         ///< `order`: the modules called by the root graph, in execution order
    std::vector<NodeRef> origin; ///< per NodeId of the flat graph: the corresponding node of the split
};

/// Inlines the graph of each part at its call and removes getitems of calls with several results. Names (made unique), metadata
/// and targets are those of the parts; modules and tensors keep their places. The signature and module calls refer to nodes of
/// the flat graph, so that a split exported program can be written as one again. Calls of the root graph itself are in no part.
/// Refuses a program without parts, and a call whose arguments do not match the placeholders of its part. O(nodes + arguments).
Result<FlatSplit> flatSplit(const Program& split);

} // namespace sunder
