#pragma once

#include "ir/node.h"
#include "ir/tensor_meta.h"
#include "support/flat_map.h"

#include <cstdint>
#include <string_view>

namespace sunder {

/// Puts a number into a hash.
constexpr std::uint64_t mixHash(std::uint64_t seed, std::uint64_t value)
{
    return (seed ^ (value + 0x9E3779B97F4A7C15ULL + (seed << 6U) + (seed >> 2U))) * 0xFF51AFD7ED558CCDULL;
}

/// The same text gives the same number in every process and on every machine.
std::uint64_t hashOfText(std::string_view text);

/// Hashes of what nodes are, apart from their names and places: what finds repeated regions in a graph, and the ops of one
/// export in another. Equal nodes have equal hashes; different ones nearly always different ones. The same in every process.
class StructuralHash {
public:
    /// How symbols of sizes count.
    enum class Symbols : std::uint8_t {
        byName, ///< "s27" is itself
        alike,  ///< all are one: exports name them as they like
    };
    explicit StructuralHash(Symbols symbols) : m_symbols(symbols) {}

    /// Of a text, remembered.
    std::uint64_t of(InternedString text);
    /// Of a tree of values in which `hashOfLeaf(const Argument&)` judges those of the kind `leaf`. O(tree).
    template <typename HashOfLeaf>
    std::uint64_t of(const Argument& tree, ArgumentKind leaf, const HashOfLeaf& hashOfLeaf);
    /// Of a call: `op`, `target`, constants by type and value, keywords in any order, and in the place of each input
    /// `hashOfInput(NodeId)`. O(arguments).
    template <typename HashOfInput>
    std::uint64_t ofCall(const Node& node, const HashOfInput& hashOfInput);
    /// Of dtype and shape alone.
    std::uint64_t ofShape(const TensorMeta& tensor);
    /// Of a value that holds no others.
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
