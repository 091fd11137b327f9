#pragma once

#include "ir/graph.h"
#include "ir/program.h"

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder {

/// Returns the nodes that hold a placeholder's value in its own memory: itself and its views. Compares the storages of `val` if
/// both nodes have one; otherwise uses the operators' known aliasing. Excludes results of in-place writes. O(their uses).
std::vector<NodeId> aliasesOf(const Graph& graph, NodeId placeholder);

/// As above, for a node whose views have a storage other than its own.
std::vector<NodeId> aliasesOf(const Graph& graph, NodeId node, InternedString storage);

/// A range of elements in a memory: [first, last + 1).
using Extent = std::pair<std::int64_t, std::int64_t>;

/// Returns the range that a tensor occupies in its memory; the full range if its layout is unknown.
Extent extentOf(const TensorMeta& meta);

/// Returns the groups of two or more ranges that overlap, directly or through others, as indices. Sorts.
std::vector<std::vector<std::size_t>> overlapping(const std::vector<Extent>& extents);

/// Placeholders of an exported program that share memory: overlapping tensors with different names, and user inputs with the same
/// storage. Linear, except for sorting tensors that share a storage.
class OverlappingInputs {
public:
    explicit OverlappingInputs(const Program& program);

    /// Returns the placeholders that a write to this one may affect, including itself, in graph order.
    [[nodiscard]] std::span<const NodeId> with(const NodeId& placeholder) const;
    /// Returns a unique representative of these placeholders.
    [[nodiscard]] NodeId firstOf(NodeId placeholder) const { return with(placeholder).front(); }

private:
    struct Input {
        NodeId node;
        std::uint32_t position; ///< index among the placeholders
        Extent extent = {};
    };
    void group(std::vector<Input> inputs);
    void keep(std::vector<Input> group);

    std::vector<std::vector<NodeId>> m_groups; ///< groups of two or more
    std::unordered_map<NodeId, std::size_t> m_groupOf;
};

/// Returns, per storage of the program, whether a node of the root graph may write to it, through views or nested graphs.
/// Conservative: may return true without a write. O(nodes + arguments).
std::vector<char> writtenStorages(const Program& program);

} // namespace sunder
