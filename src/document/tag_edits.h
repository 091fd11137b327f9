#pragma once

#include "document/tag_state.h"

#include <QString>

#include <span>

namespace sunder {

// What can be done to the list of tags: the state that comes of it. Tags are indices into it.

/// A name that no tag has yet: "stage0", "stage1", …
[[nodiscard]] QString freeTagName(const TagState& state);
/// With a tag behind the others, active.
[[nodiscard]] TagState withTag(TagState state, InternedString name, const TagColor& color);
/// Its nodes become untagged.
[[nodiscard]] TagState withoutTag(const TagState& state, int tag);
/// `order` holds old indices; colours, nodes and what is active stay with their tags.
[[nodiscard]] TagState reordered(const TagState& state, std::span<const int> order);
/// The order in which the tag stands at another place.
[[nodiscard]] std::vector<int> orderWithMoved(int count, int from, int to);
/// Why a tag cannot be called so, as a sentence; empty when it can.
[[nodiscard]] QString whyNotCalled(const TagState& state, int tag, const QString& name);

} // namespace sunder
