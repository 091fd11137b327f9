#pragma once

#include "analysis/alignment/carried_tags.h"
#include "analysis/rules/tag_rules.h"
#include "document/tag_state.h"

#include <QString>

#include <memory>
#include <vector>

namespace sunder {

/// Immutable record of a tag transfer from another export: the match of each op, and the tag it got.
struct TagTransfer {
    QString from; ///< file of the tags, or a description of the previous model
    GraphIdentity old;
    GraphIdentity now;
    GraphAlignment alignment;
    CarriedTags carried;
    std::vector<InternedString> order;  ///< order of the tags
    std::vector<std::int32_t> oldTags;  ///< per node of the old graph
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
struct OldTags {
    GraphIdentity identity;
    std::vector<InternedString> order;
    std::vector<TagPair> tags;          ///< by node name
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
