#include "verify/identical_programs.h"

#include <algorithm>

namespace sunder {
namespace {

/// Compares two graphs node by node, in graph order.
class Graphs {
public:
    Graphs(const Graph& a, const Graph& b) : m_a(a), m_b(b), m_placeA(a.positions()), m_placeB(b.positions()) {}

    [[nodiscard]] bool areSame() const
    {
        NodeId b = m_b.first();
        for (const NodeId a : m_a.nodes()) {
            if (!b.isValid() || !sameNode(m_a.node(a), m_b.node(b)))
                return false;
            b = m_b.next(b);
        }
        return !b.isValid();
    }

    [[nodiscard]] bool same(const Argument& a, const Argument& b) const
    {
        if (!a.holdsNodes() && !b.holdsNodes())
            return a == b;
        if (a.kind() != b.kind())
            return false;
        if (a.is(ArgumentKind::node))
            return m_placeA[a.asNode().index()] == m_placeB[b.asNode().index()];
        return a.className() == b.className() && std::ranges::equal(a.fields(), b.fields())
            && std::ranges::equal(a.keys(), b.keys())
            && std::ranges::equal(a.items(), b.items(), [this](const Argument& x, const Argument& y) { return same(x, y); });
    }

private:
    [[nodiscard]] bool sameNode(const Node& a, const Node& b) const
    {
        const auto sameArgument = [this](const Argument& x, const Argument& y) { return same(x, y); };
        const auto sameKeyword = [this](const Keyword& x, const Keyword& y) { return x.key == y.key && same(x.value, y.value); };
        const bool sameMutated = a.meta.mutated.has_value() == b.meta.mutated.has_value()
            && (!a.meta.mutated || std::ranges::equal(*a.meta.mutated, *b.meta.mutated));
        return a.op == b.op && a.target == b.target && a.extra == b.extra && a.meta.val == b.meta.val && sameMutated
            && std::ranges::equal(a.args, b.args, sameArgument) && std::ranges::equal(a.kwargs, b.kwargs, sameKeyword);
    }

    const Graph& m_a;
    const Graph& m_b;
    std::vector<std::uint32_t> m_placeA;
    std::vector<std::uint32_t> m_placeB;
};

bool sameModules(const ModuleTree& a, const ModuleTree& b)
{
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const Module& x = a[ModuleId(i)];
        const Module& y = b[ModuleId(i)];
        if (x.path != y.path || x.cls != y.cls || x.leaf != y.leaf || x.same != y.same || x.graph != y.graph || x.calls != y.calls
            || x.attributes != y.attributes || x.recipe != y.recipe || x.unknown != y.unknown || x.extra != y.extra)
            return false;
    }
    return a.size() == b.size();
}

bool sameTensors(const TensorTable& a, const TensorTable& b)
{
    const auto sameEntry = [](const TensorEntry& x, const TensorEntry& y) {
        return x.fqn == y.fqn && x.role == y.role && x.same == y.same && x.meta == y.meta && x.storage == y.storage
            && x.extra == y.extra;
    };
    const auto sameStorage = [](const Storage& x, const Storage& y) { return x.id == y.id; };
    return std::ranges::equal(a.entries(), b.entries(), sameEntry) && std::ranges::equal(a.storages(), b.storages(), sameStorage);
}

/// Signatures refer to values of the root graphs.
bool sameSignatures(const Program& a, const Program& b, const Graphs& roots)
{
    if (!a.signature || !b.signature)
        return a.signature.has_value() == b.signature.has_value();
    const auto sameSpec = [&](const auto& x, const auto& y) {
        return x.kind == y.kind && x.target == y.target && roots.same(x.value, y.value);
    };
    return std::ranges::equal(a.signature->inputs, b.signature->inputs, sameSpec)
        && std::ranges::equal(a.signature->outputs, b.signature->outputs, sameSpec);
}

} // namespace

bool areIdentical(const Program& a, const Program& b)
{
    if (a.graphs.size() != b.graphs.size() || a.root != b.root || a.owners != b.owners || !sameModules(a.modules, b.modules)
        || !sameTensors(a.tensors, b.tensors))
        return false;
    for (std::size_t i = 0; i < a.graphs.size(); ++i) {
        const Graphs graphs(a.graphs[i], b.graphs[i]);
        if (!graphs.areSame() || (GraphId(i) == a.root && !sameSignatures(a, b, graphs)))
            return false;
    }
    return true;
}

} // namespace sunder
