#pragma once

#include "analysis/device.h"
#include "cli/command.h"
#include "ir/program.h"

#include <vector>

namespace sunder::cli {

/// Reads the model of a project, its tags on its nodes, at the sizes that the project assumes; what options say wins. The project
/// stays in `invocation.project`. Refused where the graph is not the one that the project was made for, unless --changed-source is
/// set: then what does not fit is left out, and said.
/// `name`: the program to take from an archive; empty: the project's own.
Result<Program> readProjectModel(const Invocation& invocation, const std::string& path, const std::string& name);

/// Those of --devices; without the option those of the project, if IN is one; else none.
Result<std::vector<Device>> devicesFor(const Invocation& invocation);

} // namespace sunder::cli
