#pragma once

#include "analysis/tag_assignment.h"
#include "analysis/training/backward_tags.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>

namespace sunder {

enum class StageMeasure : std::uint8_t {
    bytes, ///< parameters, buffers and constants, each at its first reader; then output bytes; then nodes
    nodes, ///< call nodes
};

/// Tags every call node with one of `count` consecutive stages of about equal size, named stage0, stage1, …: a
/// legal assignment by construction. No stage is empty: more stages than there are call nodes are refused, with their number, as
/// are zero stages and more than 100,000. The same input gives the same cut on every machine. O(nodes + arguments + count).
/// Of a joint forward and backward program whose backward calls follow, the stages are of forward calls, each weighed with the
/// backward calls that belong to it, and these stand in tags of their own behind (withBackwardFollowing()).
Result<TagAssignment> consecutiveStages(const Program& program, std::uint32_t count, StageMeasure measure = StageMeasure::bytes,
                                        BackwardTags backward = BackwardTags::follow,
                                        ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
