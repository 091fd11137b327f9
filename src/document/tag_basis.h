#pragma once

#include "analysis/alignment/carried_tags.h"
#include "analysis/rules/tag_rules.h"
#include "document/tag_state.h"

#include <QString>

#include <memory>
#include <vector>

namespace sunder {

/// Tags that were taken over from another export: what each op was taken for, and which tag it got. Never changes.
struct TagTransfer {
    QString from; ///< the file that the tags come from, or what was open before, in words
    GraphIdentity old;
    GraphIdentity now;
    GraphAlignment alignment;
    CarriedTags carried;
    std::vector<InternedString> order;  ///< of the tags
    std::vector<std::int32_t> oldTags;  ///< per node of the old graph
    std::vector<TagTraits> traits = {}; ///< per tag; empty: not known
    std::vector<NodeId> nodes;          ///< per node of the new graph: its id in the model

    /// Every op is what it was, and nothing is lost.
    [[nodiscard]] bool isPlain() const
    {
        return alignment.lost.empty() && carried.counts[static_cast<std::size_t>(MatchKind::identity)] == alignment.calls.size();
    }
};
using TagTransferPtr = std::shared_ptr<const TagTransfer>;

/// An export of the model as it was, with its tags.
struct OldTags {
    GraphIdentity identity;
    std::vector<InternedString> order;
    std::vector<TagPair> tags;          ///< by the names of its nodes
    std::vector<TagTraits> traits = {}; ///< per tag of the order; empty: by place
    QString from = {};
};
using OldTagsPtr = std::shared_ptr<const OldTags>;

/// What the tags of a document rest on, beside strokes.
struct TagBasis {
    TagRules rules;                    ///< that were applied last
    TagTransferPtr transfer = {};      ///< null: none were taken over
    std::vector<bool> accepted = {};   ///< per call of the transfer: somebody has looked at it
    std::vector<OldTagsPtr> lost = {}; ///< tags of ops alone that the model does not have any more; oldest first
};

} // namespace sunder
