#pragma once

#include "analysis/snapshot.h"
#include "document/tag_basis.h"
#include "document/text.h"
#include "io/side_files/project_file.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <memory>

namespace sunder {

/// Of a model and its tags that are at hand.
[[nodiscard]] OldTags oldTagsOf(const Program& program, const TagState& state, const QString& from);

/// Of a project by what it notes of its graph; refused where it notes nothing.
[[nodiscard]] Result<OldTags> oldTagsOf(const ProjectFile& project, const QString& path);

/// The tags of lost ops that a project keeps.
[[nodiscard]] Result<std::vector<OldTagsPtr>> lostTagsOf(const ProjectFile& project, const QString& path);

/// Of a project (its tags, and what it notes of its graph), or of a model: the tags beside it, else those on its nodes. Refused where
/// there are none. For a background job.
[[nodiscard]] Result<OldTags> readOldTags(const QString& path, ProgressMonitor& monitor);

/// Finds the ops of the model in the old export and gives them their tags. For a background job.
[[nodiscard]] Result<TagTransferPtr> transferTags(OldTags old, const Snapshot& now, ProgressMonitor& monitor);

/// The tags that a transfer gives the model.
[[nodiscard]] TagAssignment tagsOf(const TagTransfer& transfer, const Snapshot& snapshot);

/// Ops with a tag that no op of the model is taken for.
[[nodiscard]] std::size_t lostTagCount(const TagTransfer& transfer);

/// A transfer with the tags of ops that were lost by earlier ones.
struct TransferredTags {
    TagAssignment tags;
    std::vector<TagTraits> traits; ///< per tag; empty: not known
    TagBasis basis; ///< without rules
    std::size_t back = 0; ///< ops that were lost and are there again, with their tags
};

/// What a transfer gives the model. An op that is more surely one that was lost takes the tag of that. What is lost now is kept with
/// `lost`, at most for the last 8 states of the model. For a background job.
[[nodiscard]] Result<TransferredTags> withLostTags(const TagTransferPtr& transfer, const std::vector<OldTagsPtr>& lost,
                                                   const Snapshot& now, ProgressMonitor& monitor);

/// "12 matched by identity, 3 moved, 1 lost".
[[nodiscard]] inline QString summaryOf(const TagTransfer& transfer)
{
    return text(summaryOf(transfer.carried, transfer.alignment));
}

/// The nodes of the model that stand nearest to an old op that is lost: what has become of those that it read, and that read it.
[[nodiscard]] std::vector<NodeId> aroundLost(const TagTransfer& transfer, std::uint32_t lost);

} // namespace sunder
