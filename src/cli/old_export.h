#pragma once

#include "analysis/alignment/carried_tags.h"
#include "cli/command.h"
#include "io/side_files/alignment_report.h"
#include "io/side_files/project_file.h"
#include "io/side_files/tags_file.h"

namespace sunder::cli {

/// An earlier export of a model, with its tags.
struct OldExport {
    GraphIdentity identity;
    TagsFile tags;
};

/// The tags of an earlier export, transferred to a program. References nothing else.
struct ExportTransfer {
    GraphIdentity old;
    GraphIdentity now;
    GraphAlignment alignment;
    CarriedTags carried;
    std::vector<InternedString> order; ///< of the tags
    std::vector<std::int32_t> oldTags; ///< per node of the old graph

    [[nodiscard]] AlignmentReport report() const { return {old, now, alignment, carried, order, oldTags}; }
    [[nodiscard]] TagAssignment tagsFor(const Program& program, Untagged untagged) const
    {
        return assignmentOf(program, alignment, carried, order, untagged);
    }
};

/// Returns what --suggested asks for.
inline Untagged untaggedFor(const Invocation& invocation)
{
    return invocation.isSet("suggested") ? Untagged::suggestion : Untagged::nothing;
}

/// Matches the ops of a program to those of an earlier export, and transfers their tags. Fails with ErrorCode::cancelled.
Result<ExportTransfer> transferFrom(OldExport old, const Program& program, ProgressMonitor& monitor);

/// Reads an earlier export. For a model: its nodes and their tags. For a project: its recorded graph identity and tags, or its
/// model if it has no identity. For a file of `transfer --identity`: the identity without tags.
Result<OldExport> readOldExport(const Invocation& invocation, const std::string& path);

/// Returns the export recorded in a project; refused if the project has no graph identity.
Result<OldExport> oldExportOf(const ProjectFile& project, const std::string& path);

} // namespace sunder::cli
