#pragma once

#include "analysis/tag_assignment.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sunder {

// What can be done to the list of tags, as values. Tags are indices into `order`, which are asserted to be there.

/// The tags in another order, of old indices: each once. Nodes keep theirs. O(nodes + tags).
TagAssignment reordered(const TagAssignment& tags, std::span<const int> order);

/// The tags without one; its nodes become untagged. O(nodes + tags).
TagAssignment withoutTag(const TagAssignment& tags, int tag);

/// The tags without `from`, whose nodes have `into` from then on; the others keep their places. Two different ones. O(nodes + tags).
TagAssignment mergedTags(const TagAssignment& tags, int from, int into);

/// Why a tag cannot be called so.
enum class TagNameFault : std::uint8_t {
    none,
    empty, ///< its part is called so
    dot, ///< or a line break: PyTorch calls no submodule so
    reserved, ///< `forward`, `cuda`: split_by_tags refuses it, whyNoPartName() says why
    taken, ///< by another tag
};

/// Of a name for the tag `tag` of nodes of `graph`; for one that is not there yet: −1. O(results + tags).
TagNameFault faultOfTagName(const Graph& graph, const TagAssignment& tags, int tag, std::string_view name);

/// The index of the tag that is called so; −1 when there is none. O(tags).
int tagCalled(const TagAssignment& tags, std::string_view name);

/// The order (old indices) that people give by names. Refused where a name is no tag or stands twice, and where one is left out;
/// says which. O(tags²).
Result<std::vector<int>> tagOrderOf(const TagAssignment& tags, std::span<const std::string_view> names);

/// The order (old indices) in which no value runs backwards, as near to the present one as can be: legalTagOrder(). Refused, naming
/// the tags of a shortest circle in its order, where they depend on each other in one. O(nodes + arguments + tags² + tags × pairs).
Result<std::vector<int>> topologicalTagOrder(const Graph& graph, const TagAssignment& tags);

} // namespace sunder
