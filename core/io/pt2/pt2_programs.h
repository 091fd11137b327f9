#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// A program in an archive, as far as can be told without reading it.
struct Pt2ProgramEntry {
    std::string name;
    std::uint64_t graphBytes = 0;              ///< of its JSON
    std::optional<std::uint64_t> weightBytes;  ///< of weights and constants, each once; nothing when not known
};

/// The programs in an archive that torch.export wrote, in its order; one "model" for the flat zip. Errors as readPt2().
/// O(members + configs).
Result<std::vector<Pt2ProgramEntry>> programsOfPt2(const std::string& path);

/// Whether the archive of a program also contains code compiled by AOTInductor, for any of its programs. O(members).
bool holdsCompiledCode(const Program& program);

/// The note on converting such an archive.
inline constexpr const char* kCompiledCodeStays = "code that AOTInductor compiled is in the source archive and is not written";

} // namespace sunder
