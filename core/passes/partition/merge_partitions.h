#pragma once

#include "passes/partition/partition_links.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

/// What becomes of partitions that are joined: per partition the group that it ends in, and per group its bytes.
struct MergedPartitions {
    std::vector<std::uint32_t> groupOf;
    std::vector<std::uint64_t> usedBytes;
};

/// Joins small partitions as the size-based partitioner of 2020 does: again and again the smallest with the largest
/// that it fits beside and whose level differs by at most one, until the smallest finds none. Ties keep the order in
/// which partitions were closed; a merged one counts as closed at its merge. `links` has no circle and gets none: two
/// partitions whose levels are that near have no third one between them. O(log partitions) a merge, and what changes
/// of the levels below it.
MergedPartitions mergePartitions(PartitionLinks links, std::vector<std::uint64_t> usedBytes, double deviceBytes,
                                 ProgressMonitor& monitor);

/// The same with the fault of 2020: links are patched and not derived, a child of the smaller partition keeps it as a
/// parent though it is gone, and levels come from such stale links. Refused where the original would not come to an
/// end. O(partitions + links) a merge.
Result<MergedPartitions> mergePartitionsAs2020(PartitionLinks links, std::vector<std::uint64_t> usedBytes, double deviceBytes,
                                               ProgressMonitor& monitor);

} // namespace sunder
