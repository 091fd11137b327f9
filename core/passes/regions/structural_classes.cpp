#include "ir/tensor_meta.h"
#include "passes/regions/region_classes.h"

#include <algorithm>
#include <unordered_map>

// Structural classes by hash-consing. Two tables: values (`val` less storage ids and hints), then nodes, whose
// arguments name inputs by their value's number. A hash only finds candidates; equality is decided by comparing trees,
// so that two classes never fall together. Linear in what the arguments and values hold.

namespace sunder {
namespace {

std::size_t mix(std::size_t seed, std::size_t value)
{
    return (seed ^ (value + 0x9E3779B97F4A7C15ULL + (seed << 6U) + (seed >> 2U))) * 0xFF51AFD7ED558CCDULL;
}

std::size_t hashOfAll(std::size_t hash, const Arguments& values)
{
    for (const Argument& value : values)
        hash = mix(hash, hashOf(value));
    return mix(hash, values.size());
}

bool sameTensor(const TensorMeta& a, const TensorMeta& b)
{
    return a.dtype == b.dtype && a.shape == b.shape && a.stride == b.stride && a.offset == b.offset && a.device == b.device
        && a.layout == b.layout && a.requiresGrad == b.requiresGrad;
}

std::size_t hashOfTensor(const TensorMeta& tensor)
{
    std::size_t hash = hashOfAll(mix(tensor.dtype.id(), tensor.device.id()), tensor.shape);
    hash = tensor.stride ? hashOfAll(hash, *tensor.stride) : mix(hash, 1);
    return mix(hash, (tensor.offset ? hashOf(*tensor.offset) : 0) + (tensor.requiresGrad ? 2 : 0));
}

/// Compares argument trees; `sameLeaf` and `hashOfLeaf` judge what is particular: tensors or nodes.
template <typename SameLeaf>
bool sameTree(const Argument& a, const Argument& b, ArgumentKind leaf, const SameLeaf& sameLeaf)
{
    if (a.kind() != b.kind())
        return false;
    if (a.is(leaf))
        return sameLeaf(a, b);
    if (!a.isCompound())
        return a == b;
    if (a.items().size() != b.items().size() || a.className() != b.className() || !std::ranges::equal(a.fields(), b.fields())
        || !std::ranges::equal(a.keys(), b.keys()))
        return false;
    for (std::size_t i = 0; i < a.items().size(); ++i)
        if (!sameTree(a.items()[i], b.items()[i], leaf, sameLeaf))
            return false;
    return true;
}

template <typename HashOfLeaf>
std::size_t hashOfTree(const Argument& tree, ArgumentKind leaf, const HashOfLeaf& hashOfLeaf)
{
    if (tree.is(leaf))
        return hashOfLeaf(tree);
    if (!tree.isCompound())
        return hashOf(tree);
    std::size_t hash = mix(static_cast<std::size_t>(tree.kind()), tree.items().size());
    for (const Argument& key : tree.keys())
        hash = mix(hash, hashOf(key));
    for (const Argument& item : tree.items())
        hash = mix(hash, hashOfTree(item, leaf, hashOfLeaf));
    return hash;
}

/// Numbers things by equality: the number of a thing is that of the first one equal to it.
template <typename Same>
class Numbering {
public:
    explicit Numbering(Same same) : m_same(std::move(same)) {}
    std::uint32_t of(std::uint32_t thing, std::size_t hash)
    {
        const auto [from, to] = m_known.equal_range(hash);
        for (auto at = from; at != to; ++at)
            if (m_same(at->second.first, thing))
                return at->second.second;
        const auto number = static_cast<std::uint32_t>(m_known.size());
        m_known.emplace(hash, std::pair(thing, number));
        return number;
    }

private:
    Same m_same;
    std::unordered_multimap<std::size_t, std::pair<std::uint32_t, std::uint32_t>> m_known; ///< hash → thing, number
};

class Classifier {
public:
    explicit Classifier(const RankedGraph& graph) : m_graph(graph), m_valueOf(graph.size()) {}

    RegionClasses run()
    {
        Numbering values([this](std::uint32_t a, std::uint32_t b) { return sameValue(a, b); });
        Numbering nodes([this](std::uint32_t a, std::uint32_t b) { return sameNode(a, b); });
        RegionClasses classes(m_graph.size(), kNoRegionClass);
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
            m_valueOf[rank] = values.of(rank, hashOfValue(rank));
            if (m_graph.node(rank).isCall())
                classes[rank] = nodes.of(rank, hashOfNode(m_graph.node(rank)));
        }
        return classes;
    }

private:
    [[nodiscard]] const Argument& value(std::uint32_t rank) const
    {
        static const Argument kNone;
        const auto& val = m_graph.node(rank).meta.val;
        return val ? *val : kNone;
    }
    [[nodiscard]] bool sameValue(std::uint32_t a, std::uint32_t b) const
    {
        return sameTree(value(a), value(b), ArgumentKind::tensor,
                        [](const Argument& x, const Argument& y) { return sameTensor(x.asTensor(), y.asTensor()); });
    }
    [[nodiscard]] std::size_t hashOfValue(std::uint32_t rank) const
    {
        return hashOfTree(value(rank), ArgumentKind::tensor, [](const Argument& x) { return hashOfTensor(x.asTensor()); });
    }

    [[nodiscard]] std::uint32_t seen(const Argument& input) const { return m_valueOf[m_graph.rank(input.asNode())]; }
    [[nodiscard]] bool sameArgument(const Argument& a, const Argument& b) const
    {
        return sameTree(a, b, ArgumentKind::node, [this](const Argument& x, const Argument& y) { return seen(x) == seen(y); });
    }
    [[nodiscard]] std::size_t hashOfArgument(const Argument& a) const
    {
        return hashOfTree(a, ArgumentKind::node, [this](const Argument& x) { return std::size_t{seen(x)} + 77; });
    }

    [[nodiscard]] bool sameNode(std::uint32_t rankA, std::uint32_t rankB) const
    {
        const Node& a = m_graph.node(rankA);
        const Node& b = m_graph.node(rankB);
        if (a.op != b.op || a.target != b.target || a.args.size() != b.args.size() || a.kwargs.size() != b.kwargs.size())
            return false;
        for (std::size_t i = 0; i < a.args.size(); ++i)
            if (!sameArgument(a.args[i], b.args[i]))
                return false;
        const auto sameAs = [&](const Keyword& keyword) {
            return std::ranges::any_of(b.kwargs, [&](const Keyword& other) {
                return keyword.key == other.key && sameArgument(keyword.value, other.value);
            });
        };
        return std::ranges::all_of(a.kwargs, sameAs);
    }
    [[nodiscard]] std::size_t hashOfNode(const Node& node) const
    {
        std::size_t hash = mix(static_cast<std::size_t>(node.op), node.target.id());
        for (const Argument& argument : node.args)
            hash = mix(hash, hashOfArgument(argument));
        std::size_t keywords = 0; // in any order
        for (const Keyword& keyword : node.kwargs)
            keywords += mix(keyword.key.id(), hashOfArgument(keyword.value));
        return mix(hash, keywords);
    }

    const RankedGraph& m_graph;
    std::vector<std::uint32_t> m_valueOf; ///< per rank: number of its `val`
};

} // namespace

RegionClasses structuralClasses(const RankedGraph& graph)
{
    return Classifier(graph).run();
}

} // namespace sunder
