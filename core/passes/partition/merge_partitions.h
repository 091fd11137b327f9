#pragma once

#include "passes/partition/partition_links.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

/// Result of merging: the group of each partition, and the bytes of each group.
struct MergedPartitions {
    std::vector<std::uint32_t> groupOf;
    std::vector<std::uint64_t> usedBytes;
};

/// Merges small partitions like the size-based partitioner of 2020. Repeatedly joins the smallest partition with the largest that
/// fits on a device with it and whose level differs by at most one; stops when the smallest has no such partner. Ties keep the
/// order in which partitions were closed; a merged partition is closed at its merge. `links` must be acyclic and stays so, since
/// no path between two partitions whose levels differ by at most one passes through a third. O(log partitions) per merge, plus
/// the updated levels of its descendants. Fails with ErrorCode::cancelled.
Result<MergedPartitions> mergePartitions(PartitionLinks links, std::vector<std::uint64_t> usedBytes, double deviceBytes,
                                         ProgressMonitor& monitor);

/// As mergePartitions(), with the bugs of 2020: links are patched instead of recomputed, children of the smaller partition keep
/// it as a parent after the merge, and levels are computed from such stale links. Returns ErrorCode::refused where the original
/// does not terminate, ErrorCode::cancelled if canceled. O(partitions + links) per merge.
Result<MergedPartitions> mergePartitionsAs2020(PartitionLinks links, std::vector<std::uint64_t> usedBytes, double deviceBytes,
                                               ProgressMonitor& monitor);

} // namespace sunder
