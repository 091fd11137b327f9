#pragma once

#include "analysis/cut/node_sizes.h"
#include "ir/program.h"

#include <span>
#include <string>

namespace sunder {

/// What calls hold together, in words, for a refusal: as torch counts, by which a partitioner decides, and at the peak of a run.
struct ExplainedNeed {
    std::string pieces; ///< "weights 5.0 GB, activations 4.0 GB that are never freed, inputs 40.0 MB"
    /// "; the peak of a run is 6.2 GB, and a split by tags is held to that"; empty where that is no less.
    std::string otherwise;
};

/// Nodes that are no calls are passed over. O(nodes + arguments).
ExplainedNeed explainNeed(const Program& program, const NodeSizes& sizes, std::span<const NodeId> nodes);

/// The same of all calls of the graph.
ExplainedNeed explainNeed(const Program& program, const NodeSizes& sizes);

} // namespace sunder
