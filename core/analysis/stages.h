#pragma once

#include "analysis/tag_assignment.h"
#include "analysis/training/backward_tags.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>

namespace sunder {

enum class StageMeasure : std::uint8_t {
    bytes, ///< weights, each at its first reader; ties: output bytes, then nodes
    nodes, ///< call nodes
};

/// Tags every call node with one of `count` consecutive stages of similar size, named stage0, stage1, …. The assignment is legal
/// by construction, and no stage is empty. Refuses 0 stages, more than 100,000, and more stages than call nodes; the error names
/// the number of call nodes. Deterministic on every machine. O(nodes + arguments + count).
///
/// In a joint forward-backward program whose backward calls follow their forward calls, the stages contain forward calls, each
/// weighed with its backward calls. The backward calls get separate tags after these stages (withBackwardFollowing()).
Result<TagAssignment> consecutiveStages(const Program& program, std::uint32_t count, StageMeasure measure = StageMeasure::bytes,
                                        BackwardTags backward = BackwardTags::follow,
                                        ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
