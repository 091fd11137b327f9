#pragma once

#include "ir/identity_map.h"
#include "ir/program.h"

#include <string>
#include <vector>

namespace sunder {

/// A region of the source that was left in place.
struct AbandonedRegion {
    std::vector<NodeId> nodes; ///< of the source's root graph
    std::string why;           ///< a readable reason that names nodes
};

/// A group of repeated regions that share a subgraph.
struct SharedSubgraph {
    InternedString name;       ///< "subgraph_0": an attribute of the root module
    GraphId graph;             ///< in the result
    std::size_t group = 0;     ///< index into the groups found
    std::vector<NodeId> calls; ///< nodes of the result's root graph that call it, one per replaced region
    std::vector<std::size_t> regions = {}; ///< per call: index of the replaced region in the group
};

/// Result of deduplicate().
struct DedupResult {
    Program program; ///< root graph with a call per replaced region; one module with a graph per group
    IdentityMap map; ///< nodes of the source → nodes of `program`; nodes of every region → nodes of its subgraph
    std::vector<SharedSubgraph> subgraphs;
    std::vector<AbandonedRegion> abandoned; ///< found, but cannot be shared or replaced
};

} // namespace sunder
