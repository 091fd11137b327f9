#pragma once

#include "analysis/snapshot.h"
#include "document/tag_state.h"

#include <QString>

#include <span>

namespace sunder {

// Operations on the tag list. Each returns the resulting state. Tags are indices into the list.

/// Returns an unused tag name: "stage0", "stage1", …
[[nodiscard]] QString freeTagName(const TagState& state);
/// Returns the first unused theme color.
[[nodiscard]] TagColor freeColor(const TagState& state);
/// Appends a tag and makes it active.
[[nodiscard]] TagState withTag(TagState state, InternedString name, const TagColor& color);
[[nodiscard]] TagState withName(TagState state, int tag, InternedString name);
/// Sets a custom color; an invalid color restores the theme's.
[[nodiscard]] TagState withColor(TagState state, int tag, const QColor& color);
/// Sets a palette color by its hue, see tagStyle(). A tag with that hue gets the previous color of `tag`, so that no two tags
/// look alike.
[[nodiscard]] TagState withHue(TagState state, int tag, std::uint32_t hue);
/// Parses a tag color of a file as a palette or custom color. An empty color becomes the palette color for index `place`.
[[nodiscard]] TagColor colorFromFile(std::string_view color, std::size_t place);
/// Returns the tag color to write to a file: the custom color, or the palette color without its pattern.
[[nodiscard]] std::string colorForFile(const TagColor& color);
/// Removes a tag and untags its nodes.
[[nodiscard]] TagState withoutTag(const TagState& state, int tag);
/// Merges `from` into `into`. If `from` was active, `into` becomes active.
[[nodiscard]] TagState merged(const TagState& state, int from, int into);
/// Sets a code, in capitals; an empty code restores the one derived from the name.
[[nodiscard]] TagState withCode(TagState state, int tag, const QString& code);
/// Returns why a code is refused, as a sentence; empty if it is valid.
[[nodiscard]] QString whyNotCoded(const TagState& state, int tag, const QString& code);
[[nodiscard]] TagState withLock(TagState state, int tag, bool isLocked);
/// Copies the view settings that undo does not change (hidden tags, protection) from `seen`. Tags are matched by name, renamed
/// tags by index.
[[nodiscard]] TagState seenAs(TagState state, const TagState& seen);
/// Keeps the active tag by name. If that tag no longer exists, returns `state` unchanged. For edits that replace the list of
/// tags.
[[nodiscard]] TagState withActiveOf(TagState state, const TagState& before);
/// `order` holds old indices; colors, nodes, and the active tag are kept.
[[nodiscard]] TagState reordered(const TagState& state, std::span<const int> order);
/// Returns the permutation that moves one tag.
[[nodiscard]] std::vector<int> orderWithMoved(int count, int from, int to);
/// Returns why a name is refused, as a sentence; empty if it is valid.
[[nodiscard]] QString whyNotCalled(const Graph& graph, const TagState& state, int tag, const QString& name);

using TagChanges = std::vector<std::pair<NodeId, std::int32_t>>;

/// Ops that keep their tags although an edit would change them.
struct KeptOps {
    std::vector<NodeId> locked; ///< ops whose current or new tag is locked; ascending
    std::vector<NodeId> painted; ///< tagged ops that TagState::protectsTagged protects; ascending
    int lock = -1; ///< the tag that locks all of `locked`; −1: none, or several
    [[nodiscard]] bool empty() const { return locked.empty() && painted.empty(); }
};

/// Result of retagging nodes.
struct Retagging {
    TagChanges changes; ///< call nodes, unique, ascending
    KeptOps kept;
};

/// Filters changes by locks and protection; all edits of tags use this function. A locked tag neither gains nor loses ops.
/// Protected ops can be erased, but not repainted. Of duplicate nodes, the first counts. O(wanted log wanted).
[[nodiscard]] Retagging retagging(const TagState& state, const Snapshot& snapshot, TagChanges wanted);
/// Returns changes that give all of these nodes one tag.
[[nodiscard]] TagChanges wantedOf(std::span<const NodeId> nodes, int tag);
/// Returns the ops that replacing all tags would change despite locks or protection. Tags are matched by name. O(nodes + tags).
[[nodiscard]] KeptOps keptFrom(const TagState& state, const Snapshot& snapshot, const TagAssignment& other);
/// Returns the union of both.
[[nodiscard]] KeptOps together(const KeptOps& first, const KeptOps& second);
/// Returns "12 ops keep their tags: stage0 is locked."; empty if no op was kept.
[[nodiscard]] QString keptText(const TagState& state, const KeptOps& kept);
/// Returns why an all-or-nothing edit was refused: "Nothing was changed: 12 ops would get another tag, but stage0 is locked."
[[nodiscard]] QString refusalText(const TagState& state, const KeptOps& kept);
/// Returns the first untagged node after this position of the graph, else the first one, from the `untagged` nodes of a report.
/// Invalid if there is none.
[[nodiscard]] NodeId nextUntagged(const TagState& state, const Snapshot& snapshot, std::span<const NodeId> untagged,
                                  std::uint32_t position);

} // namespace sunder
