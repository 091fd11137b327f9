#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// A program in an archive, described without reading it.
struct Pt2ProgramEntry {
    std::string name;
    std::uint64_t graphBytes = 0;              ///< of its JSON
    std::optional<std::uint64_t> weightBytes;  ///< of distinct weights and constants; nothing if unknown
};

/// Lists the programs in an archive written by torch.export, in its order; only "model" for the flat zip. Errors as in readPt2().
/// O(members + configs).
Result<std::vector<Pt2ProgramEntry>> programsOfPt2(const std::string& path);

/// True if the archive of a program also contains code compiled by AOTInductor, for any of its programs. O(members).
bool holdsCompiledCode(const Program& program);

/// The note for conversions of such an archive.
inline constexpr const char* kCompiledCodeStays = "code compiled by AOTInductor is in the source archive and is not written";

} // namespace sunder
