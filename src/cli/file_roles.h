#pragma once

#include "cli/command.h"

namespace sunder::cli {

/// Refuses a command line whose outputs would overwrite an input or another output: by the same path, the same file through a
/// link, or the same device. Examines paths and file metadata, and reads only projects and the names in an old manifest. Returns
/// ErrorCode::usage.
Result<void> checkFileRoles(const Command& command, const QCommandLineParser& options, const std::vector<std::string>& files);

} // namespace sunder::cli
