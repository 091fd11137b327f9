#pragma once

#include "ir/identity_map.h"
#include "ir/program.h"

#include <vector>

namespace sunder {

/// A node of a result that represents several nodes of the source's root graph: a call that contains their copies, or one copy
/// shared by all of them.
struct Representative {
    NodeId node;
    std::vector<NodeId> sources; ///< ascending
    friend bool operator==(const Representative&, const Representative&) = default;
};

/// Returns, per graph of `result`, its representatives in graph order. If a module is called several times, each call represents
/// only the nodes that run in that call: the n-th run of a graph gets the n-th source of each of its nodes, if their numbers
/// match. Created nodes only pass values and represent nothing. O(runs of nodes × call depth); a walk with far more steps than
/// the source has nodes is cut short.
std::vector<std::vector<Representative>> representatives(const Program& source, const Program& result, const IdentityMap& map);

} // namespace sunder
