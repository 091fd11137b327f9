#pragma once

#include "io/archives/zip_archive.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// The member with the program in an archive of PyTorch before 2.8.
inline constexpr std::string_view kFlatProgram = "serialized_exported_program.json";

/// Where things lie in an archive that torch.export.save wrote.
struct Pt2Layout {
    enum class Kind : std::uint8_t {
        archive, ///< PyTorch 2.8 and later: one root folder with models, weights and constants
        flat,    ///< before: a program and torch.save files at the top
    };
    Kind kind = Kind::archive;
    std::string root;                ///< with its slash; empty for the flat zip
    std::vector<std::string> models; ///< names of the programs; one, "model", in the flat zip

    /// Member that holds the program of that name.
    [[nodiscard]] std::string programMember(std::string_view model) const;
    [[nodiscard]] std::string weightsFolder() const { return root + "data/weights/"; }
    [[nodiscard]] std::string constantsFolder() const { return root + "data/constants/"; }
    /// Config of weights or constants: FQN → member, shape, strides.
    [[nodiscard]] std::string weightsConfig(std::string_view model) const;
    [[nodiscard]] std::string constantsConfig(std::string_view model) const;
};

/// Recognises the layout. Archives without a program are refused with what they are: torch.save files, TorchScript,
/// AOTInductor packages, several roots.
Result<Pt2Layout> findPt2Layout(const ZipArchive& archive);

} // namespace sunder
