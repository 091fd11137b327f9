#pragma once

#include "analysis/alignment/carried_tags.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// The tags of an earlier export, by node name.
struct ExportTags {
    GraphIdentity identity;
    std::vector<InternedString> order = {};
    std::vector<TagPair> tags = {};
};

/// The tags of an earlier export, transferred to a program. References nothing else.
struct ExportTransfer {
    GraphIdentity old;
    GraphIdentity now;
    GraphAlignment alignment;
    CarriedTags carried;
    std::vector<InternedString> order;  ///< of the tags
    std::vector<std::int32_t> oldTags;  ///< per node of the old graph

    [[nodiscard]] TagAssignment tagsFor(const Program& program, Untagged untagged = Untagged::nothing) const
    {
        return assignmentOf(program, alignment, carried, order, untagged);
    }
};

/// Matches the ops of a program to those of an earlier export, and transfers their tags. Fails with ErrorCode::cancelled.
Result<ExportTransfer> transferFrom(ExportTags old, const Program& program, ProgressMonitor& monitor);

/// Tags of ops that earlier states of a model had.
struct LostTags {
    static constexpr std::size_t kMaxStates = 8; ///< that are kept: each has the identities of a whole graph
    std::vector<std::vector<TagPair>> left = {}; ///< per earlier state: tags of ops that are still lost
    std::vector<TagPair> lost = {}; ///< tags that this transfer lost
    std::vector<bool> isBack = {}; ///< per call of the transfer: it has the tag of an earlier state
    std::size_t back = 0; ///< number of ops of earlier states that were found again
};

/// Gives ops that match an op of an earlier state with higher confidence the tag of that op, and appends its tag to the order of the
/// transfer if necessary. `earlier`: states with the tags of lost ops, oldest first; the last ones take precedence. Fails with
/// ErrorCode::cancelled.
Result<LostTags> restoreTags(ExportTransfer& transfer, std::span<const ExportTags* const> earlier, ProgressMonitor& monitor);

} // namespace sunder
