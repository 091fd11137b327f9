#pragma once

#include "analysis/representatives.h"
#include "canvas/picture_style.h"
#include "document/document.h"

#include <QIcon>
#include <QMetaType>
#include <QPainter>
#include <span>
#include <vector>

namespace sunder {

/// A segment of a tag strip: tag index (−1: untagged) and its fraction of the whole.
struct TagShare {
    int tag = -1;
    double share = 0;
};

using TagShares = std::vector<TagShare>;

} // namespace sunder

Q_DECLARE_METATYPE(sunder::TagShares)

namespace sunder {

/// Paints a distribution over tags as bars in their colors, side by side. The untagged part is an empty frame.
void paintTagStrip(QPainter& painter, const QRectF& rect, const TagShares& shares, const std::vector<TagLook>& looks,
                   const Theme& theme);

/// Returns the theme of the application's palette. Views call it when they paint, so that a change of theme needs no
/// notification.
const Theme& currentTheme();

/// Returns the current looks of the document's tags: custom colors, or theme colors by hue, and the codes of all tags.
std::vector<TagLook> tagLooksOf(const Document& document, const Theme& theme);

/// Returns the looks that other tags would have as the document's tags.
std::vector<TagLook> proposedLooksOf(const Document& document, const TagAssignment& tags, const Theme& theme);

/// Returns the document's looks for pictures, in which hidden tags are colorless and pale.
std::vector<TagLook> shownLooksOf(const Document& document, const Theme& theme);

/// Returns the looks of a cut's parts, in the order of parts. Parts that correspond to painted tags look like these. Others have
/// codes (P0, P1 …) and stripes, in the custom color of their device or else in theme colors.
std::vector<TagLook> partLooksOf(const Document& document, const SplitOutcome& split, const Theme& theme);

/// Returns the same in the order of the cut's tags, which is the execution order.
std::vector<TagLook> cutLooksOf(const Document& document, const SplitOutcome& split, const Theme& theme);

/// Returns, per node of the source, the index of its part in cutLooksOf().
std::vector<std::int32_t> cutTableOf(const Document& document, const SplitOutcome& split);

/// Returns a square in the tag's color and pattern, for menus and tabs.
QIcon tagSwatch(const TagStyle& style, const Theme& theme);

/// Returns, per node of the source, its tag in a picture.
std::vector<std::int32_t> tagTableOf(const Document& document);
/// Returns the same for other tags than the document's.
std::vector<std::int32_t> tagTableOf(const Document& document, const TagAssignment& tags);

/// Returns the current tags of nodes of a result that represent several source ops, with the number of ops per tag. O(sources).
TagsWithin tagsWithinOf(const Document& document, std::span<const Representative> representatives);

/// Returns the nodes that block a split: untagged ones (only if Checks::isUntaggedShown()), those that would leave their
/// region, and the last ones of a part that exceeds its device.
std::vector<NodeId> markedNodesOf(const Document& document);
/// Returns the nodes worth checking: non-tensors that cross a boundary, islands, and consumers of duplicate weights.
std::vector<NodeId> notedNodesOf(const Document& document);

/// Returns the backward edges, with a note that fixes are available.
std::vector<BackwardMark> backwardMarksOf(const Document& document, const Theme& theme);

/// Returns the notes on ops of the model.
std::vector<PictureNote> pictureNotesOf(const Document& document);

/// Returns everything that a picture of the source shows except its geometry.
PictureStyle pictureStyleOf(const Document& document, const Theme& theme);

} // namespace sunder
