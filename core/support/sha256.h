#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace sunder {

/// SHA-256 (FIPS 180-4) of some bytes, as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The same of a file, read piece by piece. Fails with ErrorCode::io.
Result<std::string> sha256OfFile(const std::string& path);

} // namespace sunder
