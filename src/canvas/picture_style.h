#pragma once

#include "analysis/tag_legality.h"
#include "canvas/cost_colors.h"
#include "canvas/palette.h"
#include "ir/node_set.h"
#include "layout/picture/picture.h"

#include <QFont>
#include <QPointF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sunder {

/// The fonts of pictures, created at kFontUnits times their size in logical pixels to preserve fractions of a pixel. Painters
/// scale down by the same factor.
struct PictureFonts {
    static constexpr double kFontUnits = 2;

    QFont title;  ///< 11 px semibold: operator or class of an item
    QFont frame;  ///< 11 px semibold: title of a frame
    QFont mono;   ///< 9.5 px monospace: names, shapes
    QFont detail; ///< 9.5 px: ops and bytes, notes
    QFont code;   ///< 9.5 px bold: tag codes
    QFont chip;   ///< 9 px monospace
};

/// Returns the size of a font of PictureFonts in logical pixels at 100%.
double logicalPixelSize(const QFont& font);

/// Returns the fonts, created once from the system's interface and monospace fonts. Needs a QGuiApplication.
const PictureFonts& pictureFonts();

/// Returns the text measure in these fonts, for PictureOptions::textWidth.
TextWidth pictureTextWidth();

/// The look of a tag in pictures.
struct TagLook {
    QString name;
    QString code; ///< 1–3 letters, see tagCodes()
    TagStyle style;
};

/// Returns the look of a tag by its index; null if it is untagged, mixed, or out of range.
inline const TagLook* lookOfTag(const std::vector<TagLook>& tags, std::int32_t tag)
{
    return tag >= 0 && static_cast<std::size_t>(tag) < tags.size() ? &tags[static_cast<std::size_t>(tag)] : nullptr;
}

/// A dependency against the order of the tags, by a value or by runtime order: drawn thick, red, and dashed, with a small card.
struct BackwardMark {
    NodeId producer;
    NodeId consumer;
    QString title; ///< "S2 → S1 runs backward"
    QString detail; ///< "128 MB · 3 fix ▾"
};

/// A user's note on an op; created by pictureNote().
struct PictureNote {
    NodeId node;
    QString text;
    QPointF offset; ///< from the upper right corner of the node's box, in the scene
    QStringList lines = {}; ///< lines as painted
    QSizeF size = {}; ///< at 100%
};

/// The ops of one tag among those that a node represents.
struct TagOps {
    std::int32_t tag = TagAssignment::kUntagged; ///< index into tags, or kUntagged
    std::uint32_t ops = 0;
    std::uint64_t bytes = 0;
    friend bool operator==(const TagOps&, const TagOps&) = default;
};

/// Tags of nodes that represent several ops: calls of submodules.
using TagsWithin = std::unordered_map<NodeId, std::vector<TagOps>>;

/// Everything about a Picture except its geometry: a value, set by the owner, that determines the look of items.
struct PictureStyle {
    static constexpr std::int32_t kUntagged = TagAssignment::kUntagged;
    static constexpr std::int32_t kTakesNoTag =
        TagAssignment::kTakesNoTag; ///< inputs, attributes, outputs: not counted in strips

    const Theme* theme = &sunder::theme(false);
    std::vector<TagLook> tags; ///< in tag order
    std::vector<std::int32_t> tagOf; ///< per NodeId index: index into tags, kUntagged or kTakesNoTag
    TagsWithin within; ///< for these nodes, instead of tagOf
    std::optional<CostColors> costs; ///< instead of the colors of tags, whose codes remain
    std::vector<std::uint64_t> nodeBytes; ///< per NodeId index: weight in strips; empty: all ops weigh the same
    NodeSet selected;
    NodeSet marked; ///< nodes that block a split (untagged ones); red diamond
    NodeSet noted; ///< nodes worth checking (non-tensors at a boundary, islands); amber diamond
    NodeSet found; ///< search hits
    NodeSet counterparts; ///< nodes selected or hovered in another pane
    std::vector<BackwardMark> backward;
    std::vector<PictureNote> notes;

    /// Returns the index into tags, kUntagged, or kTakesNoTag; also valid for nodes beyond the table.
    [[nodiscard]] std::int32_t tag(NodeId node) const
    {
        return node.isValid() && node.index() < tagOf.size() ? tagOf[node.index()] : kUntagged;
    }
};

/// Returns the looks of tags in their order. `colors` maps some names to colors ("#rrggbb"; others are ignored).
std::vector<TagLook> tagLooks(const Theme& theme, const std::vector<InternedString>& order,
                              const std::vector<std::pair<InternedString, InternedString>>& colors = {});

/// Returns the style of the root graph's picture: looks, tag table, and weights. Backward edges of `report` are marked, and
/// untagged nodes if untaggedStandOut(). `report` can be null. O(nodes).
PictureStyle pictureStyle(const Program& program, const TagAssignment& tags, const TagReport* report, const Theme& theme);

/// Returns, per NodeId of `graph`, the index of its tag, kUntagged, or kTakesNoTag for nodes other than calls.
std::vector<std::int32_t> tagTable(const Graph& graph, const TagAssignment& tags);

/// Returns marks for the report's backward edges, then for its runtime-order dependencies, at most `limit`.
std::vector<BackwardMark> backwardMarks(const TagReport& report, const std::vector<TagLook>& tags, std::size_t limit = 200);

} // namespace sunder
