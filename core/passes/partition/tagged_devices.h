#pragma once

#include "analysis/partitioner_config.h"
#include "analysis/tag_assignment.h"
#include "support/result.h"

namespace sunder {

/// Fills in what the partitioner needs to take a cut as it is: tag i is partition i and goes to device i; both
/// parts of a stage, forward and backward, go to one device (forwardTags()). Refused when a call has no tag or there are more tags or
/// stages with calls than devices, with the numbers. O(nodes).
Result<void> putTagsOnDevices(const Graph& graph, const TagAssignment& tags, PartitionerConfig& config);

} // namespace sunder
