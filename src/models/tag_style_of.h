#pragma once

#include "analysis/stand_ins.h"
#include "canvas/picture_style.h"
#include "document/document.h"

#include <QIcon>

#include <span>

namespace sunder {

/// The theme that the application's palette stands for: views ask it when they paint, so a switch needs no wiring.
const Theme& currentTheme();

/// How the document's tags look now: their own colours, or the theme's by hue; codes of all of them.
std::vector<TagLook> tagLooksOf(const Document& document, const Theme& theme);

/// How other tags would look once they were the document's.
std::vector<TagLook> proposedLooksOf(const Document& document, const TagAssignment& tags, const Theme& theme);

/// The same, where hidden tags have no colour and are pale: as pictures show them.
std::vector<TagLook> shownLooksOf(const Document& document, const Theme& theme);

/// How the parts of a cut look, in its order of parts: parts that are painted tags as those do. All others have codes (P0, P1 …)
/// and stripes of their own, in the colour of the device that holds them where that has one, else by the theme's hues.
std::vector<TagLook> partLooksOf(const Document& document, const SplitOutcome& split, const Theme& theme);

/// The same in the order of the cut's tags, which is that of execution.
std::vector<TagLook> cutLooksOf(const Document& document, const SplitOutcome& split, const Theme& theme);

/// Per node of the source the part that has it, as index into those.
std::vector<std::int32_t> cutTableOf(const Document& document, const SplitOutcome& split);

/// A square of the tag's colour and pattern, for menus and tabs.
QIcon tagSwatch(const TagStyle& style, const Theme& theme);

/// Per node of the source the tag that it wears in a picture.
std::vector<std::int32_t> tagTableOf(const Document& document);
/// The same of other tags than the document's.
std::vector<std::int32_t> tagTableOf(const Document& document, const TagAssignment& tags);

/// What nodes of a result wear that stand for several ops of the source: as many of each tag as they hold now. O(sources).
TagsWithin tagsWithinOf(const Document& document, std::span<const StandIn> standIns);

/// Nodes that stand in the way: untagged ones, but while they are only without colour (Document::isUntaggedShown()), those that
/// would run outside of their region, and the last ones of a part that is too large for its device.
std::vector<NodeId> markedNodesOf(const Document& document);
/// Nodes that are worth a look: what is no tensor and crosses a boundary, islands, readers of weights that are stored twice.
std::vector<NodeId> notedNodesOf(const Document& document);

/// Edges that run backwards, with a word that there are repairs.
std::vector<BackwardMark> backwardMarksOf(const Document& document, const Theme& theme);

/// The notes on ops that the model has.
std::vector<PictureNote> pictureNotesOf(const Document& document);

/// Everything that a picture of the source shows besides its geometry.
PictureStyle pictureStyleOf(const Document& document, const Theme& theme);

} // namespace sunder
