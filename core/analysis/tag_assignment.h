#pragma once

#include "analysis/snapshot.h"
#include "ir/program.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// (node name, tag name), as in TAGS.json and user input.
using TagPair = std::pair<InternedString, InternedString>;

/// The tag of each node of the root graph. Any node may have a tag, but only tags of call nodes have an effect.
struct TagAssignment {
    static constexpr std::int32_t kUntagged = -1;
    /// Used in per-node tables derived from tags: the node is not a call, so tags have no effect on it.
    static constexpr std::int32_t kTakesNoTag = -2;

    std::vector<InternedString> order; ///< tags in execution order
    std::vector<std::int32_t> tagOf;   ///< per NodeId index of the root graph: index into order, or kUntagged

    std::vector<std::pair<NodeId, InternedString>> unknownTags = {}; ///< nodes whose tag is not in `order`
    std::vector<TagPair> unknownNodes = {};                          ///< pairs whose node name is not in the graph

    /// Returns an index into order, or kUntagged. Safe for nodes outside the table.
    [[nodiscard]] std::int32_t operator[](NodeId id) const { return id.index() < tagOf.size() ? tagOf[id.index()] : kUntagged; }
};

/// Assigns tags by node name. For a duplicate tag in `order`, the last occurrence is used, as in PyTorch; the same holds for
/// duplicate nodes in `pairs`. O(nodes + pairs + order).
TagAssignment assignTags(const Graph& graph, std::vector<InternedString> order, std::span<const TagPair> pairs);

/// Returns the tags of the nodes of the root graph, in the order of the program's tag table. Tags missing from the table follow
/// in the order of their first node.
TagAssignment tagsOnNodes(const Program& program);

/// Returns the initial tags of a program: those of its nodes, otherwise two unused tags, stage0 and stage1.
TagAssignment initialTags(const Program& program);

/// Replaces the tags of the root graph's nodes and the order in the tag table; colors in the table are kept. Files written from
/// the program then contain the tags. O(nodes).
void putTagsOnNodes(Program& program, const TagAssignment& tags);

/// Converts tags back to (node name, tag name) in graph order, followed by the pairs with unknown nodes. O(nodes).
std::vector<TagPair> tagPairs(const Graph& graph, const TagAssignment& tags);

/// The number of call nodes, and the bytes of parameters, buffers and constants that they read, each memory once.
struct TagTotal {
    std::uint64_t ops = 0;
    std::uint64_t bytes = 0;
};

struct TagTotals {
    std::vector<TagTotal> tags; ///< per tag, in order
    TagTotal untagged;
};

/// Totals per tag. O(nodes + reads).
TagTotals tagTotals(const Snapshot& snapshot, const TagAssignment& tags);

/// Totals of a set of nodes.
TagTotal totalOf(const Snapshot& snapshot, std::span<const NodeId> nodes);

} // namespace sunder
