#pragma once

#include "analysis/tag_assignment.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sunder {

// Operations on the list of tags, which return new values. Tags are valid indices into `order`.

/// Reorders the tags; `order` contains each old index once. Nodes keep their tags. O(nodes + tags).
TagAssignment reordered(const TagAssignment& tags, std::span<const int> order);

/// Removes a tag; its nodes become untagged. O(nodes + tags).
TagAssignment withoutTag(const TagAssignment& tags, int tag);

/// Replaces the tag `from` by another tag, `into`, and removes it; other tags keep their order. O(nodes + tags).
TagAssignment mergedTags(const TagAssignment& tags, int from, int into);

/// Reasons why a tag name is invalid.
enum class TagNameFault : std::uint8_t {
    none,
    empty, ///< the name is also that of the part
    dot, ///< or a line break, which PyTorch refuses in submodule names
    reserved, ///< `forward`, `cuda`: refused by split_by_tags, see whyNoPartName()
    taken, ///< another tag has this name
};

/// Checks a name for the tag `tag` of nodes in `graph`; −1 for a new tag. O(results + tags).
TagNameFault faultOfTagName(const Graph& graph, const TagAssignment& tags, int tag, std::string_view name);

/// Returns the index of the tag with this name; −1 if there is none. O(tags).
int tagCalled(const TagAssignment& tags, std::string_view name);

/// Returns the order (old indices) given by tag names. The error names an unknown, duplicate, or missing tag. O(tags²).
Result<std::vector<int>> tagOrderOf(const TagAssignment& tags, std::span<const std::string_view> names);

/// Returns the order (old indices) without backward edges that is closest to the present one (legalTagOrder()). If the tags
/// depend on each other in a cycle, the error names those of a shortest one in order. O(nodes + arguments + tags² + tags ×
/// pairs).
Result<std::vector<int>> topologicalTagOrder(const Graph& graph, const TagAssignment& tags);

} // namespace sunder
