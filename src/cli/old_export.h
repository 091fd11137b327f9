#pragma once

#include "analysis/alignment/carried_tags.h"
#include "cli/command.h"
#include "io/side_files/project_file.h"
#include "io/side_files/tags_file.h"

namespace sunder::cli {

/// An earlier export of a model, with its tags.
struct OldExport {
    GraphIdentity identity;
    TagsFile tags;
};

/// Reads an earlier export. For a model: its nodes and their tags. For a project: its recorded graph identity and tags, or its
/// model if it has no identity. For a file of `transfer --identity`: the identity without tags.
Result<OldExport> readOldExport(const Invocation& invocation, const std::string& path);

/// Returns the export recorded in a project; refused if the project has no graph identity.
Result<OldExport> oldExportOf(const ProjectFile& project, const std::string& path);

} // namespace sunder::cli
