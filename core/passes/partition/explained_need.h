#pragma once

#include "analysis/cut/node_sizes.h"
#include "ir/program.h"

#include <span>
#include <string>

namespace sunder {

/// What calls hold together, in words, for a refusal: from the account that the Partition DAG shows.
struct ExplainedNeed {
    std::string pieces; ///< "weights 5.0 GB, values 4.0 GB of which none is freed, inputs 40 MB"
    /// "; a run that frees values after their last reader takes 6.2 GB, and tags in stages are held to that"; empty where that is
    /// no less, and where the sizes are the file's, which says nothing of when a value is free.
    std::string otherwise;
};

/// Nodes that are no calls are passed over. O(nodes + arguments).
ExplainedNeed explainNeed(const Program& program, const NodeSizes& sizes, std::span<const NodeId> nodes);

/// The same of all calls of the graph.
ExplainedNeed explainNeed(const Program& program, const NodeSizes& sizes);

} // namespace sunder
