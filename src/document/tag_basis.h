#pragma once

#include "analysis/alignment/export_transfer.h"
#include "analysis/rules/tag_rules.h"
#include "document/tag_state.h"

#include <QString>

#include <memory>
#include <vector>

namespace sunder {

/// Immutable record of a tag transfer from another export: the match of each op, and the tag it got.
struct TagTransfer : ExportTransfer {
    QString from; ///< file of the tags, or a description of the previous model
    std::vector<TagTraits> traits = {}; ///< per tag; empty if unknown
    std::vector<NodeId> nodes;          ///< node id in the model, per node of the new graph

    /// Returns whether all ops match by identity and none is lost.
    [[nodiscard]] bool isPlain() const
    {
        return alignment.lost.empty() && carried.counts[static_cast<std::size_t>(MatchKind::identity)] == alignment.calls.size();
    }
};
using TagTransferPtr = std::shared_ptr<const TagTransfer>;

/// An earlier export of the model, with its tags.
struct OldTags : ExportTags {
    std::vector<TagTraits> traits = {}; ///< per tag of the order; empty for colors by index
    QString from = {};
};
using OldTagsPtr = std::shared_ptr<const OldTags>;

/// Sources of a document's tags other than manual painting.
struct TagBasis {
    TagRules rules;                    ///< rules applied last
    TagTransferPtr transfer = {};      ///< null if there was no transfer
    std::vector<bool> accepted = {};   ///< per call of the transfer: reviewed by the user
    std::vector<OldTagsPtr> lost = {}; ///< tags of ops that are missing in the current model; oldest first
};

} // namespace sunder
