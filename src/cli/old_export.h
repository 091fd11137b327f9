#pragma once

#include "analysis/alignment/export_transfer.h"
#include "cli/command.h"
#include "io/side_files/alignment_report.h"
#include "io/side_files/project_file.h"
#include "io/side_files/tags_file.h"

#include <utility>

namespace sunder::cli {

/// An earlier export of a model, with its tags.
struct OldExport {
    GraphIdentity identity;
    TagsFile tags;
};

/// Returns it without the colors of its tags.
inline ExportTags exportTags(OldExport old)
{
    return {.identity = std::move(old.identity), .order = std::move(old.tags.order), .tags = std::move(old.tags.tags)};
}

/// Returns the parts of a transfer for a report, which must not outlive it.
inline AlignmentReport reportOf(const ExportTransfer& of)
{
    return {of.old, of.now, of.alignment, of.carried, of.order, of.oldTags};
}

/// Returns what --suggested asks for.
inline Untagged untaggedFor(const Invocation& invocation)
{
    return invocation.isSet("suggested") ? Untagged::suggestion : Untagged::nothing;
}

/// Reads an earlier export. For a model: its nodes and their tags. For a project: its recorded graph identity and tags, or its
/// model if it has no identity. For a file of `transfer --identity`: the identity without tags.
Result<OldExport> readOldExport(const Invocation& invocation, const std::string& path);

/// Returns the export recorded in a project; refused if the project has no graph identity.
Result<OldExport> oldExportOf(const ProjectFile& project, const std::string& path);

} // namespace sunder::cli
