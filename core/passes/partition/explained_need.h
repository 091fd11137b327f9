#pragma once

#include "analysis/cut/node_sizes.h"
#include "ir/program.h"

#include <span>
#include <string>

namespace sunder {

/// Describes the memory need of a set of calls for error messages: as torch counts it, which partitioners use, and the peak
/// during a run.
struct ExplainedNeed {
    std::string pieces; ///< e.g. "weights 5.0 GB, activations 4.0 GB that are never freed, inputs 40.0 MB"
    /// e.g. "; the peak of a run is 6.2 GB, and a split by tags is held to that"; empty if the peak is not lower
    std::string otherwise;
};

/// Explains the need of the given nodes; ignores nodes that are no calls. O(nodes + arguments).
ExplainedNeed explainNeed(const Program& program, const NodeSizes& sizes, std::span<const NodeId> nodes);

/// Explains the need of all calls of the graph.
ExplainedNeed explainNeed(const Program& program, const NodeSizes& sizes);

} // namespace sunder
