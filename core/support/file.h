#pragma once

#include "support/result.h"

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace sunder {

/// Reads a whole file as bytes. Fails for folders, missing files and files over `limit` bytes, naming path and reason.
Result<std::string> readFile(const std::string& path, std::uint64_t limit);

/// Writes a file next to its destination, and renames it if `write` succeeded and all data reached the disk. On any failure,
/// including a full disk, the destination is unchanged and no temporary files remain. Treats links, modes, devices and pipes like
/// StagedFile.
Result<void> writeFileAtomically(const std::string& path, const std::function<Result<void>(std::ostream&)>& write);

/// As above, for text in memory.
Result<void> writeFileAtomically(const std::string& path, std::string_view bytes);

} // namespace sunder
