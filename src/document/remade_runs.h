#pragma once

#include "document/passes/pass.h"

#include "io/side_files/project_file.h"

namespace sunder {

/// What makes a run of a project again: the same pass with the same options, of the tags and devices that it was made of. Refused
/// where this version does not have the pass, or the pass refuses.
[[nodiscard]] Result<PassWork> workOfKeptRun(const Document& document, const ProjectRun& run);

} // namespace sunder
