#pragma once

#include "io/side_files/manifest_writer.h"
#include "ir/program.h"

#include <string>
#include <vector>

namespace sunder {

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
