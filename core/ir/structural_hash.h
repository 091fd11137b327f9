#pragma once

#include "ir/node.h"
#include "ir/tensor_meta.h"
#include "support/flat_map.h"
#include "support/mix_hash.h"

#include <cstdint>

namespace sunder {

/// Hashes nodes by content, ignoring names and positions: to find equal layers, regions, and calls in a graph, and the ops of one
/// program in another. Values that are equal by operator== have equal hashes; different ones have different hashes with high
/// probability. Stable across processes.
class StructuralHash {
public:
    /// Names and ids that count. One that does not count equals every other one.
    struct Options {
        bool symbols = true; ///< of symbolic dimensions: "s27", which exporters choose
        bool objects = true; ///< of constants and objects of the model, which parts rename
        bool graphs = true; ///< ids of graphs, which only mean the same in one program
    };
    StructuralHash() = default;
    explicit StructuralHash(const Options& options) : m_options(options) {}

    /// Hashes a text and caches the result.
    std::uint64_t of(InternedString text);
    /// Hashes a tree of values, using `hashOfLeaf(const Argument&)` for values of kind `leaf`. O(tree).
    template <typename HashOfLeaf>
    std::uint64_t of(const Argument& tree, ArgumentKind leaf, const HashOfLeaf& hashOfLeaf);
    /// Hashes a tree of values in which all nodes are alike, and tensors of equal dtype and shape. O(tree).
    std::uint64_t of(const Argument& tree);
    /// Hashes a call: `op`, `target`, constants by type and value, keywords in any order, and `hashOfInput(NodeId)` for each
    /// input. Without `withTarget`, the target does not count. O(arguments).
    template <typename HashOfInput>
    std::uint64_t ofCall(const Node& node, const HashOfInput& hashOfInput, bool withTarget = true);
    /// Hashes only dtype and shape.
    std::uint64_t ofShape(const TensorMeta& tensor);
    /// Hashes a value that contains no other values.
    std::uint64_t ofSingle(const Argument& value);

private:
    Options m_options;
    FlatMap<std::uint64_t> m_texts;
};

template <typename HashOfLeaf>
std::uint64_t StructuralHash::of(const Argument& tree, ArgumentKind leaf, const HashOfLeaf& hashOfLeaf)
{
    if (tree.is(leaf))
        return hashOfLeaf(tree);
    if (!tree.isCompound())
        return ofSingle(tree);
    std::uint64_t hash = mixHash(static_cast<std::uint64_t>(tree.kind()), tree.items().size());
    for (const Argument& key : tree.keys())
        hash = mixHash(hash, ofSingle(key));
    for (const Argument& item : tree.items())
        hash = mixHash(hash, of(item, leaf, hashOfLeaf));
    return hash;
}

template <typename HashOfInput>
std::uint64_t StructuralHash::ofCall(const Node& node, const HashOfInput& hashOfInput, bool withTarget)
{
    const auto leaf = [&](const Argument& input) { return hashOfInput(input.asNode()); };
    std::uint64_t hash = mixHash(static_cast<std::uint64_t>(node.op), withTarget ? of(node.target) : 0);
    for (const Argument& argument : node.args)
        hash = mixHash(hash, of(argument, ArgumentKind::node, leaf));
    std::uint64_t keywords = 0;
    for (const Keyword& keyword : node.kwargs)
        keywords += mixHash(of(keyword.key), of(keyword.value, ArgumentKind::node, leaf));
    return mixHash(hash, keywords);
}

} // namespace sunder
