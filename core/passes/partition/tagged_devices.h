#pragma once

#include "analysis/partitioner_config.h"
#include "analysis/tag_assignment.h"
#include "support/result.h"

namespace sunder {

/// Configures the partitioner to use the tags as partitions. Tags with calls become partitions in tag order, each on the next
/// device. The forward and backward parts of a stage share a device (forwardTags()). Returns ErrorCode::refused, with the
/// numbers, if a call has no tag or if there are more tags or stages with calls than devices. O(nodes).
Result<void> putTagsOnDevices(const Graph& graph, const TagAssignment& tags, PartitionerConfig& config);

} // namespace sunder
