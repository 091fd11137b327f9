#pragma once

#include "analysis/snapshot.h"
#include "document/tag_state.h"

#include <QString>

#include <span>

namespace sunder {

// What can be done to the list of tags: the state that comes of it. Tags are indices into it.

/// A name that no tag has yet: "stage0", "stage1", …
[[nodiscard]] QString freeTagName(const TagState& state);
/// The first colour of the theme that no tag has.
[[nodiscard]] TagColor freeColor(const TagState& state);
/// With a tag behind the others, active.
[[nodiscard]] TagState withTag(TagState state, InternedString name, const TagColor& color);
[[nodiscard]] TagState withName(TagState state, int tag, InternedString name);
/// An invalid colour: the theme's.
[[nodiscard]] TagState withColor(TagState state, int tag, const QColor& color);
/// With a colour of the palette, by its hue (tagStyle()). A tag that has it takes the one that this tag had, so that no two become
/// alike.
[[nodiscard]] TagState withHue(TagState state, int tag, std::uint32_t hue);
/// The colour that a file gives a tag: one of the palette, else one of its own; `place` in the order where the file says none.
[[nodiscard]] TagColor colorFromFile(std::string_view color, std::size_t place);
/// What a file says of a tag's colour: its own, else the one of the palette whose kind it is.
[[nodiscard]] std::string colorForFile(const TagColor& color);
/// Its nodes become untagged.
[[nodiscard]] TagState withoutTag(const TagState& state, int tag);
/// Its nodes have `into` from then on, which is active where it was.
[[nodiscard]] TagState merged(const TagState& state, int from, int into);
/// A code of its own, in capitals; empty: the one that its name gives.
[[nodiscard]] TagState withCode(TagState state, int tag, const QString& code);
/// Why a tag cannot have this code, as a sentence; empty when it can.
[[nodiscard]] QString whyNotCoded(const TagState& state, int tag, const QString& code);
[[nodiscard]] TagState withLock(TagState state, int tag, bool isLocked);
/// How one looks at the list, which undo leaves as it is (what is hidden, what is protected), as `seen` has it. Tags are found by
/// their names; one that was renamed, by its place.
[[nodiscard]] TagState seenAs(TagState state, const TagState& seen);
/// `order` holds old indices; colours, nodes and what is active stay with their tags.
[[nodiscard]] TagState reordered(const TagState& state, std::span<const int> order);
/// The order in which the tag stands at another place.
[[nodiscard]] std::vector<int> orderWithMoved(int count, int from, int to);
/// Why a tag cannot be called so, as a sentence; empty when it can.
[[nodiscard]] QString whyNotCalled(const Graph& graph, const TagState& state, int tag, const QString& name);

using TagChanges = std::vector<std::pair<NodeId, std::int32_t>>;

/// Ops that stay as they are though they were to have another tag.
struct KeptOps {
    std::vector<NodeId> locked; ///< their tag is locked, or the one that they were to have; ascending
    std::vector<NodeId> painted; ///< have a tag while TagState::protectsTagged; ascending
    int lock = -1; ///< the tag that locks all of `locked`; −1: none, or several
    [[nodiscard]] bool empty() const { return locked.empty() && painted.empty(); }
};

/// What comes of giving nodes other tags.
struct Retagging {
    TagChanges changes; ///< calls, each once, ascending
    KeptOps kept;
};

/// The one place that honours locked tags, which neither take nor give ops, and protected ops: whatever paints, fills, erases or
/// repairs asks here. Protected ops can be erased. Of a node that is wanted twice the first counts. O(wanted log wanted).
[[nodiscard]] Retagging retagging(const TagState& state, const Snapshot& snapshot, TagChanges wanted);
/// One tag for all of these nodes.
[[nodiscard]] TagChanges wantedOf(std::span<const NodeId> nodes, int tag);
/// All of the tags at once: what of the ops would change though it may not. Tags are the same that have the same name. O(nodes + tags).
[[nodiscard]] KeptOps keptFrom(const TagState& state, const Snapshot& snapshot, const TagAssignment& other);
/// What both kept.
[[nodiscard]] KeptOps together(const KeptOps& first, const KeptOps& second);
/// "12 ops kept: stage0 is locked."; empty where nothing was kept.
[[nodiscard]] QString keptText(const TagState& state, const KeptOps& kept);
/// Why something that is done whole or not at all is not done: "Nothing was changed: 12 ops
/// would get another tag, but stage0 is locked."
[[nodiscard]] QString refusalText(const TagState& state, const KeptOps& kept);
/// The untagged node behind this place of the graph, among those that a report names; else the first; invalid when there is none.
[[nodiscard]] NodeId nextUntagged(const TagState& state, const Snapshot& snapshot, std::span<const NodeId> untagged,
                                  std::uint32_t position);

} // namespace sunder
