#pragma once

#include "ir/identity_map.h"
#include "ir/program.h"

#include <vector>

namespace sunder {

/// A node of a result that stands for several nodes of the source's root graph: a call of what holds their copies, or one
/// copy for all of them.
struct StandIn {
    NodeId node;
    std::vector<NodeId> sources; ///< ascending
    friend bool operator==(const StandIn&, const StandIn&) = default;
};

/// Per graph of `result`, in graph order: its stand-ins. Of a module that is called several times each call stands for the
/// nodes that run in it and not for those of the other calls: the n-th run of a graph holds the n-th source of each of its
/// nodes, where there are as many. Created nodes only carry values and stand for nothing. O(runs of nodes × depth of calls);
/// what runs far more often than the source has nodes is left out.
std::vector<std::vector<StandIn>> standIns(const Program& source, const Program& result, const IdentityMap& map);

} // namespace sunder
