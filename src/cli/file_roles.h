#pragma once

#include "cli/command.h"

namespace sunder::cli {

/// Refuses a command line that would write over what it reads, or over another of its outputs: the same path, the same
/// file by a link of either kind, the same device. Looks at names and at what lies there, and reads nothing but the
/// names in an old manifest. ErrorCode::usage.
Result<void> checkFileRoles(const Command& command, const QCommandLineParser& options, const std::vector<std::string>& files);

} // namespace sunder::cli
