#pragma once

#include "analysis/device.h"
#include "cli/command.h"
#include "ir/program.h"

#include <vector>

namespace sunder::cli {

/// Reads the model of a project with its tags and assumed sizes; command line options take precedence. Stores the project in
/// `invocation.project`. If the graph has changed, fails unless --changed-source is set; then reports the tags that could not be
/// transferred. `name` selects a program of the archive; empty for the project's own.
Result<Program> readProjectModel(const Invocation& invocation, const std::string& path, const std::string& name);

/// Returns the devices of --devices, else those of a project given as IN, else none.
Result<std::vector<Device>> devicesFor(const Invocation& invocation);

} // namespace sunder::cli
