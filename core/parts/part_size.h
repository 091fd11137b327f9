#pragma once

#include "parts/part_plan.h"

#include <cstdint>

namespace sunder {

/// What the parts of a split take on the disk, before one is written.
struct PartsSize {
    std::uint64_t weights = 0; ///< of all parts: what two parts read counts twice
    std::uint64_t graphs = 0;  ///< an estimate from above of the text that describes them
    std::vector<std::uint64_t> weightsOf = {}; ///< per part

    [[nodiscard]] std::uint64_t all() const { return weights + graphs; }
};

/// Bytes of storages that each part reads, where the file says where they lie, each once a part. Unfinished once `monitor` was cancelled.
/// Linear in the source.
PartsSize sizeOfParts(const Program& source, const SplitResult& split, const PartPlan& plan,
                      ProgressMonitor& monitor = ProgressMonitor::none());

/// Computes the sizes without a plan. Errors are those of separateCut() and planParts().
Result<PartsSize> sizeOfParts(const Program& source, const SplitResult& split);

} // namespace sunder
