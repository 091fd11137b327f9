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
/// What a file has to say of a tag's colour: one that was chosen; empty where it goes by place.
[[nodiscard]] std::string colorForFile(const TagColor& color);
/// Its nodes become untagged.
[[nodiscard]] TagState withoutTag(const TagState& state, int tag);
/// The same for several, in any order.
[[nodiscard]] TagState withoutTags(TagState state, std::vector<int> gone);
/// `order` holds old indices; colours, nodes and what is active stay with their tags.
[[nodiscard]] TagState reordered(const TagState& state, std::span<const int> order);
/// The order in which the tag stands at another place.
[[nodiscard]] std::vector<int> orderWithMoved(int count, int from, int to);
/// Why a tag cannot be called so, as a sentence; empty when it can.
[[nodiscard]] QString whyNotCalled(const TagState& state, int tag, const QString& name);

/// Those of the nodes that are calls and have another tag, each once, ascending, with that tag.
[[nodiscard]] std::vector<std::pair<NodeId, std::int32_t>> changesTo(const TagState& state, const Snapshot& snapshot,
                                                                     std::span<const NodeId> nodes, int tag);
/// The untagged node behind this place of the graph, among those that a report names; else the first; invalid when there is none.
[[nodiscard]] NodeId nextUntagged(const TagState& state, const Snapshot& snapshot, std::span<const NodeId> untagged,
                                  std::uint32_t position);

} // namespace sunder
