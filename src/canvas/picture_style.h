#pragma once

#include "analysis/tag_legality.h"
#include "canvas/palette.h"
#include "ir/node_set.h"
#include "layout/picture/picture.h"

#include <QPointF>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <unordered_map>
#include <vector>

namespace sunder {

/// One tag as pictures show it.
struct TagLook {
    QString name;
    QString code; ///< 1–3 letters, see tagCodes()
    TagStyle style;
};

/// The look of a tag by its index; null for what is no tag: untagged, mixed, beyond the list.
inline const TagLook* lookOfTag(const std::vector<TagLook>& tags, std::int32_t tag)
{
    return tag >= 0 && static_cast<std::size_t>(tag) < tags.size() ? &tags[static_cast<std::size_t>(tag)] : nullptr;
}

/// A dependency that the tags turn round, be it a value or an order that no value shows: drawn thick, red and dashed, with a small
/// card at it.
struct BackwardMark {
    NodeId producer;
    NodeId consumer;
    QString title; ///< "S2 → S1 runs backwards"
    QString detail; ///< "128 MB · 3 repairs ▾"
};

/// A note that somebody wrote beside an op; made by pictureNote().
struct PictureNote {
    NodeId node;
    QString text;
    QPointF offset; ///< from the upper right corner of the box that shows the node, scene
    QStringList lines = {}; ///< as they are painted
    QSizeF size = {}; ///< at 100 %
};

/// The ops of one tag among those that a node stands for.
struct TagOps {
    std::int32_t tag = TagAssignment::kUntagged; ///< index into tags, or kUntagged
    std::uint32_t ops = 0;
    std::uint64_t bytes = 0;
    friend bool operator==(const TagOps&, const TagOps&) = default;
};

/// What nodes wear that stand for several ops: calls of what holds them.
using TagsWithin = std::unordered_map<NodeId, std::vector<TagOps>>;

/// Everything about a Picture that is not its geometry: a value, set from outside, that says how items look.
struct PictureStyle {
    static constexpr std::int32_t kUntagged = TagAssignment::kUntagged;
    static constexpr std::int32_t kTakesNoTag =
        TagAssignment::kTakesNoTag; ///< inputs, attributes, outputs: not counted in strips

    const Theme* theme = &sunder::theme(false);
    std::vector<TagLook> tags; ///< in tag order
    std::vector<std::int32_t> tagOf; ///< per NodeId index: index into tags, kUntagged or kTakesNoTag
    TagsWithin within; ///< of these nodes instead of tagOf
    std::vector<std::uint64_t> nodeBytes; ///< per NodeId index: weight in strips; empty: every op counts the same
    NodeSet selected;
    NodeSet marked; ///< nodes that stand in the way (untagged ones); red diamond
    NodeSet noted; ///< nodes that are worth a look (what is no tensor on a boundary, islands); amber diamond
    NodeSet found; ///< search hits
    NodeSet counterparts; ///< what another pane selects or hovers
    std::vector<BackwardMark> backward;
    std::vector<PictureNote> notes;

    /// Index into tags, kUntagged or kTakesNoTag; safe for nodes that the table does not reach.
    [[nodiscard]] std::int32_t tag(NodeId node) const
    {
        return node.isValid() && node.index() < tagOf.size() ? tagOf[node.index()] : kUntagged;
    }
};

/// Looks of tags in their order. `colors` gives some of them colours by name ("#rrggbb"; others are ignored).
std::vector<TagLook> tagLooks(const Theme& theme, const std::vector<InternedString>& order,
                              const std::vector<std::pair<InternedString, InternedString>>& colors = {});

/// Style of the root graph's picture: looks, tag table and weights; backward edges out of `report` are
/// marked, and untagged nodes where untaggedStandOut(). `report` may be null. O(nodes).
PictureStyle pictureStyle(const Program& program, const TagAssignment& tags, const TagReport* report, const Theme& theme);

/// Per NodeId of `graph`: the index of its tag, kUntagged, or kTakesNoTag for nodes that are no calls.
std::vector<std::int32_t> tagTable(const Graph& graph, const TagAssignment& tags);

/// The marks of the report's backward edges, then of its hidden orders, at most `limit`.
std::vector<BackwardMark> backwardMarks(const TagReport& report, const std::vector<TagLook>& tags, std::size_t limit = 200);

} // namespace sunder
