#pragma once

#include "io/torch_save/storage_archives.h"
#include "parts/strided_window.h"
#include "support/progress_monitor.h"

namespace sunder {

/// The first pair of differing elements.
struct ElementDifference {
    std::vector<std::uint64_t> position;
    std::string bytesA;
    std::string bytesB;
};

/// The progress of a comparison, in bytes.
struct ComparisonProgress {
    ProgressMonitor& monitor;
    std::uint64_t all = 0;
    std::uint64_t done = 0;
    /// Returns false if the comparison must stop.
    bool advance(std::uint64_t bytes);
};

/// Whether the members that contain two records are equal from beginning to end, regardless of the ranges of the records. Not
/// read if both are in one archive with equal size and CRC. Fails with read errors, and with cancelled.
Result<bool> holdSameBytes(const StorageRecord& a, const StorageRecord& b, ComparisonProgress& progress);

/// Returns the first pair of elements of two tensors that differ bitwise: first in memory if both have the same layout, otherwise
/// first by index. Windows are within their records and relative to them.
Result<std::optional<ElementDifference>> firstDifference(const StorageRecord& a, const StridedWindow& windowA,
                                                         const StorageRecord& b, const StridedWindow& windowB,
                                                         ComparisonProgress& progress);

} // namespace sunder
