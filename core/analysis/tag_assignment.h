#pragma once

#include "ir/program.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// (node name, tag name), as TAGS.json and people write it.
using TagPair = std::pair<InternedString, InternedString>;

/// Which node of the root graph has which tag. Anything may be tagged; only tags on call nodes have an effect.
struct TagAssignment {
    static constexpr std::int32_t kUntagged = -1;
    /// In tables by node that are made of tags: a node that is no call, which none has an effect on.
    static constexpr std::int32_t kTakesNoTag = -2;

    std::vector<InternedString> order; ///< tags, first part first
    std::vector<std::int32_t> tagOf;   ///< per NodeId index of the root graph: index into order, or kUntagged

    std::vector<std::pair<NodeId, InternedString>> unknownTags = {}; ///< nodes tagged with what is not in `order`
    std::vector<TagPair> unknownNodes = {};                          ///< pairs whose name is no node of the graph

    /// Index into order, or kUntagged; safe for nodes that the table does not reach.
    [[nodiscard]] std::int32_t operator[](NodeId id) const { return id.index() < tagOf.size() ? tagOf[id.index()] : kUntagged; }
};

/// Assigns tags by node name. A tag that stands twice in `order` means its last place, as in PyTorch; of two pairs
/// for one node the later one holds. O(nodes + pairs + order).
TagAssignment assignTags(const Graph& graph, std::vector<InternedString> order, std::span<const TagPair> pairs);

/// The tags that stand on the nodes of the root graph, in the order of the program's tag table; tags that the table
/// does not name follow in the order in which nodes bear them.
TagAssignment tagsOnNodes(const Program& program);

/// The tags that a program begins with: those on its nodes, else two that no node has, stage0 and stage1.
TagAssignment initialTags(const Program& program);

/// Puts an assignment on the nodes of the root graph, in place of the tags that they had, and its order into the tag
/// table, whose colours stay. What is written from the program then carries the tags. O(nodes).
void putTagsOnNodes(Program& program, const TagAssignment& tags);

/// Back to (node name, tag name), in graph order; then pairs of names that are no node. O(nodes).
std::vector<TagPair> tagPairs(const Graph& graph, const TagAssignment& tags);

} // namespace sunder
