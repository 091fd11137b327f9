#pragma once

#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sunder {

/// Returns the bytes that the current user can still write to the file system of a path, which need not exist; nothing if
/// unknown.
std::optional<std::uint64_t> freeSpaceAt(const std::string& path);

/// Returns ErrorCode::io, with both figures and the folder, if the bytes do not fit. Succeeds if the free space is unknown.
/// `what` starts the message: "the parts".
Result<void> checkFreeSpace(const std::string& folder, std::uint64_t bytes, const std::string& what);

} // namespace sunder
