#pragma once

#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "support/result.h"

#include <vector>

namespace sunder {

/// A split program as one graph again, with the part of each node: what metrics need of a split whose source is not at
/// hand, such as one opened from a file.
struct FlatSplit {
    Program program;             ///< its root graph holds the nodes of all parts, in order of execution
    TagAssignment parts;         ///< `order`: the modules that the root graph calls, in that order
    std::vector<NodeRef> origin; ///< per NodeId of the flat graph: the node of the split that it was made from
};

/// Puts the graph of every part in place of its call; getitems of calls with several results go. Names (made unique),
/// metas and targets are the parts'; modules and tensors stay where they are; signature and module calls name the nodes
/// of the flat graph, so that an exported program that was split can be written as one again. Calls of the root graph
/// itself are in no part. Refuses a program that calls no part, and a call whose arguments do not fit its part's placeholders.
/// O(nodes + arguments).
Result<FlatSplit> flatSplit(const Program& split);

} // namespace sunder
