#pragma once

#include "io/torch_save/torch_save_file.h"
#include "io/torch_save/torch_save_writer.h"
#include "ir/program.h"

#include <memory>
#include <optional>
#include <vector>

namespace sunder {

/// The example inputs that a program was exported with, from its archive: flat, in the order of the user inputs of the signature.
class SampleInputs final {
public:
    /// Returns nothing if there are none. Inputs nested in class instances are known if the program's input spec describes how to
    /// flatten them. If the file is damaged or does not fit the signature, no input is known.
    static std::optional<SampleInputs> read(const Program& program);

    /// True if the value of this user input is known.
    [[nodiscard]] bool knows(std::size_t input) const { return input < m_leaves.size() && m_leaves[input].has_value(); }
    /// Passes a known value to the writer, which reads from the archive of these samples.
    void write(std::size_t input, TorchSaveWriter& writer) const;

private:
    SampleInputs() = default;
    void keepFitting(const Program& program);

    std::shared_ptr<const TorchSaveFile> m_file;
    std::vector<std::optional<std::uint32_t>> m_leaves; ///< values of the pickle
};

} // namespace sunder
