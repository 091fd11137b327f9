#include "passes/regions/region_classes.h"

#include "ir/structural_hash.h"
#include "ir/tensor_meta.h"
#include "support/flat_map.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <unordered_map>

// Structural classes by hash-consing, with two tables: values (`val` without storage ids and hints), and nodes, whose arguments
// refer to inputs by the number of their value. Hashes only find candidates; equality is decided by comparing trees, so
// collisions never merge classes. Linear in the size of arguments and values.

namespace sunder {
namespace {

bool sameTensor(const TensorMeta& a, const TensorMeta& b)
{
    return a.dtype == b.dtype && a.shape == b.shape && a.stride == b.stride && a.offset == b.offset && a.device == b.device
        && a.layout == b.layout && a.requiresGrad == b.requiresGrad;
}

/// Compares argument trees; `sameLeaf` compares leaves of kind `leaf` (tensors or nodes).
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

/// Numbers items by equality: equal items get the same number.
template <typename Same>
class Numbering {
public:
    explicit Numbering(Same same) : m_same(std::move(same)) {}
    std::uint32_t of(std::uint32_t thing, std::uint64_t hash)
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
    std::unordered_multimap<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> m_known; ///< hash → (item, number)
};

class Classifier {
public:
    explicit Classifier(const RankedGraph& graph) : m_graph(graph), m_valueOf(graph.size()) {}

    Result<RegionClasses> run(ProgressMonitor& monitor)
    {
        Numbering values([this](std::uint32_t a, std::uint32_t b) { return sameValue(a, b); });
        Numbering nodes([this](std::uint32_t a, std::uint32_t b) { return sameNode(a, b); });
        RegionClasses classes(m_graph.size(), kNoRegionClass);
        StepMonitor steps(monitor);
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
            SUNDER_PROPAGATE(steps.step());
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
    [[nodiscard]] std::uint64_t hashOfValue(std::uint32_t rank)
    {
        return m_hash.of(value(rank), ArgumentKind::tensor, [this](const Argument& x) { return m_hash.ofShape(x.asTensor()); });
    }

    [[nodiscard]] std::uint32_t seen(const Argument& input) const { return m_valueOf[m_graph.rank(input.asNode())]; }
    [[nodiscard]] bool sameArgument(const Argument& a, const Argument& b) const
    {
        return sameTree(a, b, ArgumentKind::node, [this](const Argument& x, const Argument& y) { return seen(x) == seen(y); });
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
    [[nodiscard]] std::uint64_t hashOfNode(const Node& node)
    {
        return m_hash.ofCall(node, [this](NodeId input) { return std::uint64_t{m_valueOf[m_graph.rank(input)]} + 77; });
    }

    const RankedGraph& m_graph;
    StructuralHash m_hash;
    std::vector<std::uint32_t> m_valueOf; ///< per rank: number of its `val`
};

} // namespace

RegionClasses structuralClasses(const RankedGraph& graph)
{
    return *structuralClasses(graph, ProgressMonitor::none());
}

Result<RegionClasses> structuralClasses(const RankedGraph& graph, ProgressMonitor& monitor)
{
    return Classifier(graph).run(monitor);
}

RegionKey regionKeyFor(const Graph& graph)
{
    for (const NodeId id : graph.nodes())
        if (!graph.node(id).meta.regionKey.empty())
            return RegionKey::tracked;
    return RegionKey::structural;
}

RegionClasses trackedClasses(const RankedGraph& graph)
{
    RegionClasses classes(graph.size(), kNoRegionClass);
    FlatMap<std::uint32_t> known;
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank)
        if (const InternedString key = graph.node(rank).meta.regionKey; !key.empty())
            classes[rank] = known.emplace(key, static_cast<std::uint32_t>(known.size())).first;
    return classes;
}

} // namespace sunder
