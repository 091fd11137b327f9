#pragma once

#include "analysis/snapshot.h"
#include "document/tag_basis.h"
#include "document/text.h"
#include "io/side_files/project_file.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <memory>

namespace sunder {

/// Returns the old tags of a model in memory.
[[nodiscard]] OldTags oldTagsOf(const Program& program, const TagState& state, const QString& from);

/// Returns the old tags of a project and its recorded graph identity; refused if the project has none.
[[nodiscard]] Result<OldTags> oldTagsOf(const ProjectFile& project, const QString& path);

/// Returns the tags of lost ops in a project.
[[nodiscard]] Result<std::vector<OldTagsPtr>> lostTagsOf(const ProjectFile& project, const QString& path);

/// Reads the tags of a project with its recorded graph identity, or of a model: from the tags file next to it, else from its
/// nodes. Refused if there are none. Call from a background job.
[[nodiscard]] Result<OldTags> readOldTags(const QString& path, ProgressMonitor& monitor);

/// Matches the ops of the model to the old export and gives them its tags. Call from a background job.
[[nodiscard]] Result<TagTransferPtr> transferTags(OldTags old, const Snapshot& now, ProgressMonitor& monitor);

/// Returns the tags that a transfer gives the model.
[[nodiscard]] TagAssignment tagsOf(const TagTransfer& transfer, const Snapshot& snapshot);

/// Returns the number of tagged ops without a match in the model.
[[nodiscard]] std::size_t lostTagCount(const TagTransfer& transfer);

/// A transfer together with restored tags of ops that earlier transfers lost.
struct TransferredTags {
    TagAssignment tags;
    std::vector<TagTraits> traits; ///< per tag; empty if unknown
    TagBasis basis; ///< without rules
    std::size_t back = 0; ///< number of lost ops that were found again, with their tags
};

/// Returns the tags of a transfer. An op that matches a lost op with higher confidence gets the tag of that op instead. Newly
/// lost tags are added to `lost`, which is limited to the last 8 states of the model. Call from a background job.
[[nodiscard]] Result<TransferredTags> withLostTags(const TagTransferPtr& transfer, const std::vector<OldTagsPtr>& lost,
                                                   const Snapshot& now, ProgressMonitor& monitor);

/// Returns a summary: "12 matched by identity, 3 moved, 1 lost".
[[nodiscard]] inline QString summaryOf(const TagTransfer& transfer)
{
    return text(summaryOf(transfer.carried, transfer.alignment));
}

/// Returns the nodes of the model closest to a lost op: the matches of its producers and consumers.
[[nodiscard]] std::vector<NodeId> aroundLost(const TagTransfer& transfer, std::uint32_t lost);

} // namespace sunder
