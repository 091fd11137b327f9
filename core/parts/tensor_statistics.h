#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

inline constexpr std::size_t kHistogramBins = 32;

/// The finite elements of a tensor: neither NaN nor infinite.
struct FiniteElements {
    double min = 0; ///< rounded where an integer of 64 bits is beyond 2^53
    double max = 0;
    std::string minText; ///< exact, as elementText() writes it
    std::string maxText;
    double mean = 0;
    double deviation = 0; ///< standard deviation of the population: x.std(correction=0)
    /// Counts in bins of equal width from `min` to `max`, which is in the last one; a single bin where both are equal.
    std::vector<std::uint64_t> histogram;
};

/// Statistics of the elements of a tensor. Each index counts, so elements of an expanded tensor count several times.
struct TensorStatistics {
    std::uint64_t count = 0;
    std::uint64_t zeros = 0; ///< also -0.0
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0; ///< of either sign
    std::optional<FiniteElements> finite; ///< absent where there are none
    std::string note; ///< why the bytes might be those of another file; empty when they are not
};

/// Computes the statistics of a tensor from the bytes in its file. Reads them twice, in memory of 200 MB at most, usually 1 MB.
/// Floats of 8 to 64 bits, integers, bool (0 and 1). Errors: unsupported for other dtypes (complex, quantized, packed) and for
/// tensors with many more elements than their memory has room for, cancelled, and those of findStoredTensor(). Linear in the elements.
Result<TensorStatistics> tensorStatistics(const Program& program, TensorId id,
                                          ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
