#pragma once

#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sunder {

/// Bytes that whoever runs this may still write to the disk that a path lies on, or would lie on; nothing when the system
/// does not say.
std::optional<std::uint64_t> freeSpaceAt(const std::string& path);

/// ErrorCode::io with both figures and the folder where so many bytes do not fit; what fits, and what nobody knows, is let
/// pass. `what` begins the sentence: "the parts".
Result<void> checkFreeSpace(const std::string& folder, std::uint64_t bytes, const std::string& what);

} // namespace sunder
