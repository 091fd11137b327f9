#pragma once

#include "io/archives/zip_archive.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// The member that contains the program in archives of PyTorch before 2.8.
inline constexpr std::string_view kFlatProgram = "serialized_exported_program.json";

/// Locations of members in an archive written by torch.export.save.
struct Pt2Layout {
    enum class Kind : std::uint8_t {
        archive, ///< PyTorch 2.8 and later: one root folder with models, weights, and constants
        flat,    ///< earlier: a program and torch.save files at the top level
    };
    Kind kind = Kind::archive;
    std::string root;                ///< with its slash; empty for the flat zip
    std::vector<std::string> models; ///< names of the programs; only "model" in the flat zip

    /// The member that contains the program with that name.
    [[nodiscard]] std::string programMember(std::string_view model) const;
    [[nodiscard]] std::string weightsFolder() const { return root + "data/weights/"; }
    [[nodiscard]] std::string constantsFolder() const { return root + "data/constants/"; }
    /// Config of weights or constants: fully qualified name → member, shape, strides.
    [[nodiscard]] std::string weightsConfig(std::string_view model) const;
    [[nodiscard]] std::string constantsConfig(std::string_view model) const;
};

/// Recognizes the layout. Archives without a program are rejected with a description: torch.save files, TorchScript, AOTInductor
/// packages, several roots.
Result<Pt2Layout> findPt2Layout(const ZipArchive& archive);

} // namespace sunder
