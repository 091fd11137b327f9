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

/// Statistics of the finite elements of a tensor: neither NaN nor infinite.
struct FiniteElements {
    double min = 0; ///< rounded for 64-bit integers beyond 2^53
    double max = 0;
    std::string minText; ///< exact, formatted by elementText()
    std::string maxText;
    double mean = 0;
    double deviation = 0; ///< population standard deviation: x.std(correction=0)
    /// Counts in bins of equal width from `min` to `max`, which is in the last bin; a single bin if both are equal.
    std::vector<std::uint64_t> histogram;
};

/// Statistics of the elements of a tensor. Every index counts, so elements of an expanded tensor count several times.
struct TensorStatistics {
    std::uint64_t count = 0;
    std::uint64_t zeros = 0; ///< including -0.0
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0; ///< of either sign
    std::optional<FiniteElements> finite; ///< absent if there are none
    std::string note; ///< reason why the bytes may be those of another file; empty if there is none
};

/// Computes the statistics of a tensor from the bytes in its file. Reads them twice, with at most 200 MB of memory and usually 1
/// MB. Supports floats of 8 to 64 bits, integers, and bool (0 and 1). Errors: unsupported for other dtypes (complex, quantized,
/// packed) and for tensors with many more elements than memory locations, cancelled, and those of findStoredTensor(). Linear in
/// the elements.
Result<TensorStatistics> tensorStatistics(const Program& program, TensorId id,
                                          ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
