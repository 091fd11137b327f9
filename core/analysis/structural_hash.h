#pragma once

#include "ir/node.h"
#include "ir/tensor_meta.h"
#include "support/flat_map.h"

#include <cstdint>
#include <string_view>

namespace sunder {

/// Combines a hash with a number.
constexpr std::uint64_t mixHash(std::uint64_t seed, std::uint64_t value)
{
    return (seed ^ (value + 0x9E3779B97F4A7C15ULL + (seed << 6U) + (seed >> 2U))) * 0xFF51AFD7ED558CCDULL;
}

/// Hashes a text; the result is the same in every process and on every machine.
std::uint64_t hashOfText(std::string_view text);

/// Hashes nodes by content, ignoring names and positions. Used to find repeated regions in a graph, and the ops of one export in
/// another. Equal nodes have equal hashes; different nodes have different ones with high probability. Stable across processes.
class StructuralHash {
public:
    /// Treatment of symbolic dimensions.
    enum class Symbols : std::uint8_t {
        byName, ///< "s27" is only equal to "s27"
        alike,  ///< all are equal, since exporters choose the names
    };
    explicit StructuralHash(Symbols symbols) : m_symbols(symbols) {}

    /// Hashes a text and caches the result.
    std::uint64_t of(InternedString text);
    /// Hashes a tree of values, using `hashOfLeaf(const Argument&)` for values of kind `leaf`. O(tree).
    template <typename HashOfLeaf>
    std::uint64_t of(const Argument& tree, ArgumentKind leaf, const HashOfLeaf& hashOfLeaf);
    /// Hashes a call: `op`, `target`, constants by type and value, keywords in any order, and `hashOfInput(NodeId)` for each
    /// input. O(arguments).
    template <typename HashOfInput>
    std::uint64_t ofCall(const Node& node, const HashOfInput& hashOfInput);
    /// Hashes only dtype and shape.
    std::uint64_t ofShape(const TensorMeta& tensor);
    /// Hashes a value that contains no other values.
    std::uint64_t ofSingle(const Argument& value);

private:
    Symbols m_symbols;
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
std::uint64_t StructuralHash::ofCall(const Node& node, const HashOfInput& hashOfInput)
{
    const auto leaf = [&](const Argument& input) { return hashOfInput(input.asNode()); };
    std::uint64_t hash = mixHash(static_cast<std::uint64_t>(node.op), of(node.target));
    for (const Argument& argument : node.args)
        hash = mixHash(hash, of(argument, ArgumentKind::node, leaf));
    std::uint64_t keywords = 0;
    for (const Keyword& keyword : node.kwargs)
        keywords += mixHash(of(keyword.key), of(keyword.value, ArgumentKind::node, leaf));
    return mixHash(hash, keywords);
}

} // namespace sunder
