#pragma once

#include "support/result.h"

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace sunder {

/// The whole file as bytes. Refuses folders, missing files and files over `limit` bytes, naming path and reason.
Result<std::string> readFile(const std::string& path, std::uint64_t limit);

/// Writes a file beside its place and renames it when `write` succeeded and everything reached the disk; on any
/// failure (a full disk included) the place is as it was and nothing is left behind. Links, modes, devices and pipes as
/// StagedFile treats them.
Result<void> writeFileAtomically(const std::string& path, const std::function<Result<void>(std::ostream&)>& write);

/// The same for text that is at hand.
Result<void> writeFileAtomically(const std::string& path, std::string_view bytes);

} // namespace sunder
