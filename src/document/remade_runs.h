#pragma once

#include "document/passes/pass.h"

#include "io/side_files/project_file.h"

namespace sunder {

/// Returns work that recomputes a run of a project with the same pass, options, tags, and devices. Refused if this version lacks
/// the pass, or if the pass refuses.
[[nodiscard]] Result<PassWork> workOfKeptRun(const Document& document, const ProjectRun& run);

} // namespace sunder
