#pragma once

#include "ir/identity_map.h"
#include "ir/program.h"

#include <string>
#include <vector>

namespace sunder {

/// A region of the source that was left as it is.
struct AbandonedRegion {
    std::vector<NodeId> nodes; ///< of the source's root graph
    std::string why;           ///< a sentence for people that names nodes
};

/// A group of repeated regions for which a subgraph was made.
struct SharedSubgraph {
    InternedString name;       ///< "subgraph_0": an attribute of the root module
    GraphId graph;             ///< in the result
    std::size_t group = 0;     ///< number of the group among those found
    std::vector<NodeId> calls; ///< nodes of the result's root graph that call it, one for each region replaced
    std::vector<std::size_t> regions = {}; ///< of each call: which region of the group it replaces
};

/// What deduplicate() makes.
struct DedupResult {
    Program program; ///< root graph with a call in the place of each region; a module with a graph for each group
    IdentityMap map; ///< nodes of the source → nodes of `program`; the nodes of all regions → those of their subgraph
    std::vector<SharedSubgraph> subgraphs;
    std::vector<AbandonedRegion> abandoned; ///< found, but not fit to be shared or to be replaced
};

} // namespace sunder
