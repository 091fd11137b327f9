#pragma once

#include "io/side_files/manifest_writer.h"
#include "ir/program.h"
#include "parts/part_plan.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// File name suffix of fx-json parts.
inline constexpr std::string_view kPlainPartSuffix = ".fxj";

/// Returns the name of the archive of weights in the folder of such a part. `file` must end in kPlainPartSuffix.
std::string weightsBeside(const std::string& file);

/// Copies the bytes of a part's tensors into an archive, one record per storage, so that the part does not depend on other files.
/// Writes the archive at `path`; it is finally named `name`, in the folder of the part. Returns the part with the new locations
/// and CRCs of storages. Storages whose location the source does not state do not change; if there are no others, no file is
/// written. Errors as for writePt2(). O(bytes).
Result<Program> writePartWeights(const Program& source, const Program& part, const std::string& path, const std::string& name,
                                 ProgressMonitor& monitor = ProgressMonitor::none());

/// Returns the bytes of all storages of a part, each counted once. If the file does not state the size of a storage, uses that of
/// its tensors.
std::uint64_t storedBytes(const Program& part);

/// Estimated disk space for the parts of a split.
struct PartsSize {
    std::uint64_t weights = 0; ///< of all parts; weights shared by two parts count twice
    std::uint64_t graphs = 0; ///< an upper estimate of the text that describes the graphs
    std::vector<std::uint64_t> weightsOf = {}; ///< per part

    [[nodiscard]] std::uint64_t all() const { return weights + graphs; }
};

/// Returns the bytes of the storages that each part reads and whose location the file states, without duplicates within a part.
/// Fails only with ErrorCode::cancelled. Linear in the source.
Result<PartsSize> sizeOfParts(const Program& source, const SplitResult& split, const PartPlan& plan, ProgressMonitor& monitor);

/// Computes the sizes without a given plan. Errors are those of separateCut() and planParts().
Result<PartsSize> sizeOfParts(const Program& source, const SplitResult& split);

/// Records which parts hold which weights of a source. Weights that are shared in the source are copied into each part.
class SharedWeights {
public:
    explicit SharedWeights(const Program& source);

    /// Adds the weights of a part, by their names in the source. Linear in its tensors.
    void add(const std::string& part, const Program& program);

    /// Returns the weights that have several names in the source or are in several parts, grouped by memory, in source order.
    /// Omits weights that are in no part. Linear in tensors and added entries.
    [[nodiscard]] std::vector<ManifestTie> ties() const;

private:
    const Program& m_source;
    std::vector<std::uint32_t> m_memoryOf; ///< per TensorId of the source: a number that is equal for shared memory
    std::vector<std::vector<std::string>> m_holders; ///< per memory: its parts, without duplicates
};

} // namespace sunder
