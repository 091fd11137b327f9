#pragma once

#include "support/result.h"

#include <cstdint>
#include <fstream>
#include <string>

namespace sunder {

/// A file open for reading, and how many bytes it has.
struct InputFile {
    std::ifstream stream;
    std::uint64_t bytes = 0;
};

/// Opens a file for reading. ErrorCode::io with path and reason when it cannot be opened or has no size.
Result<InputFile> openInputFile(const std::string& path);

} // namespace sunder
