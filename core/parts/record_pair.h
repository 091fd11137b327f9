#pragma once

#include "io/torch_save/storage_archives.h"
#include "parts/strided_window.h"
#include "support/progress_monitor.h"

namespace sunder {

/// Two elements that differ.
struct ElementDifference {
    std::vector<std::uint64_t> position;
    std::string bytesA;
    std::string bytesB;
};

/// How far comparing is: bytes of the whole.
struct ComparisonProgress {
    ProgressMonitor& monitor;
    std::uint64_t all = 0;
    std::uint64_t done = 0;
    /// False when it should stop.
    bool advance(std::uint64_t bytes);
};

/// Whether the members of both hold the same bytes from beginning to end, whatever pieces of them the records are. Known without
/// reading for members of one archive with equal size and CRC. Fails as reading does, and with cancelled.
Result<bool> holdSameBytes(const StorageRecord& a, const StorageRecord& b, ComparisonProgress& progress);

/// The first elements of two tensors that are not the same, bit for bit: first in memory where both lie alike, else by
/// index. Windows lie within their records, and count from where these begin.
Result<std::optional<ElementDifference>> firstDifference(const StorageRecord& a, const StridedWindow& windowA,
                                                         const StorageRecord& b, const StridedWindow& windowB,
                                                         ComparisonProgress& progress);

} // namespace sunder
