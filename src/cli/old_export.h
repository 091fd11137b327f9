#pragma once

#include "analysis/alignment/carried_tags.h"
#include "cli/command.h"
#include "io/side_files/project_file.h"
#include "io/side_files/tags_file.h"

namespace sunder::cli {

/// An export of a model as it was, and the tags that it had.
struct OldExport {
    GraphIdentity identity;
    TagsFile tags;
};

/// Of a model: its nodes and the tags on them. Of a project: what it notes of its model and its tags; where it notes nothing,
/// its model. Of what `tag --identity` wrote: no tags.
Result<OldExport> readOldExport(const Invocation& invocation, const std::string& path);

/// Of a project that was read; refused where it does not say what its nodes were.
Result<OldExport> oldExportOf(const ProjectFile& project, const std::string& path);

} // namespace sunder::cli
