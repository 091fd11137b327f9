#pragma once

#include "io/side_files/manifest_writer.h"
#include "ir/program.h"

#include <string>
#include <vector>

namespace sunder {

/// Notes which parts hold which weights of a source, to say which of them are one there: a part of its own has a copy.
class SharedWeights {
public:
    explicit SharedWeights(const Program& source);

    /// What a part holds, under the names of the source. Linear in its tensors.
    void add(const std::string& part, const Program& program);

    /// Weights of one memory that have several names in the source or are in several parts; of those that are in none,
    /// nothing. In the order of the source. Linear in tensors and in what was added.
    [[nodiscard]] std::vector<ManifestTie> ties() const;

private:
    const Program& m_source;
    std::vector<std::uint32_t> m_memoryOf;            ///< per TensorId of the source: a number for what lies in one memory
    std::vector<std::vector<std::string>> m_holders;  ///< per memory: parts, each once
};

} // namespace sunder
