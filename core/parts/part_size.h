#pragma once

#include "parts/part_plan.h"

#include <cstdint>

namespace sunder {

/// Estimated disk space for the parts of a split.
struct PartsSize {
    std::uint64_t weights = 0; ///< of all parts; weights shared by two parts count twice
    std::uint64_t graphs = 0;  ///< an upper estimate of the text that describes the graphs
    std::vector<std::uint64_t> weightsOf = {}; ///< per part

    [[nodiscard]] std::uint64_t all() const { return weights + graphs; }
};

/// Returns the bytes of the storages that each part reads and whose location the file states, without duplicates within a part. Incomplete if
/// `monitor` was cancelled. Linear in the source.
PartsSize sizeOfParts(const Program& source, const SplitResult& split, const PartPlan& plan,
                      ProgressMonitor& monitor = ProgressMonitor::none());

/// Computes the sizes without a given plan. Errors are those of separateCut() and planParts().
Result<PartsSize> sizeOfParts(const Program& source, const SplitResult& split);

} // namespace sunder
