#pragma once

#include "analysis/partition_assignment.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>

namespace sunder {

/// Configures the partitioner to use the tags as partitions. Tags with calls become partitions in tag order, each on the next
/// device. The forward and backward parts of a stage share a device (forwardTags()). Returns ErrorCode::refused, with the
/// numbers, if a call has no tag or if there are more tags or stages with calls than devices. O(nodes).
Result<void> putTagsOnDevices(const Graph& graph, const TagAssignment& tags, PartitionerConfig& config);

/// Returns the least memory for `count` equal devices such that filling them in order, as the size-based partitioners do, places
/// every call and no device holds the whole model. Rounded up to three digits if the model stays distributed. Returns
/// ErrorCode::refused if there is nothing to distribute: no calls, one device, an unknown size, or a call that needs as much as
/// the whole model. O(nodes + arguments) for each of at most 64 attempts.
Result<std::uint64_t> evenDeviceBytes(const Program& program, std::uint32_t count,
                                      ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
