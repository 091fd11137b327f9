#include "layout/collapse/fold_structure.h"

#include <string_view>

namespace sunder::collapse {
namespace {

constexpr std::uint64_t kInput = 0x50; // the wiring is hashed separately
constexpr std::uint64_t kInside = 0x51;
constexpr std::uint64_t kWeight = 0x52;
constexpr std::uint64_t kOutside = 0x53;

} // namespace

StructureHasher::StructureHasher(const Graph& graph, const ScopeTree& scopes, const UnitGraph& units)
    : m_graph(graph), m_scopes(scopes), m_units(units), m_own(graph.idBound(), 0), m_label(graph.idBound(), 0),
      m_labeledIn(graph.idBound(), 0)
{
    for (const Scope& scope : scopes.scopes) {
        std::string_view name = scope.path.view();
        if (scope.parent != kNone) {
            const std::string_view outer = scopes.scopes[scope.parent].path.view();
            if (name.size() > outer.size() && name.substr(0, outer.size()) == outer)
                name.remove_prefix(outer.size());
        }
        m_tail.push_back(mixHash(hashOfText(name), m_hash.of(scope.cls)));
    }
}

std::uint64_t StructureHasher::hash(std::span<const Index> units, Index scope)
{
    ++m_call;
    Index inside = 0;
    for (const Index unit : units) {
        for (const NodeId id : m_units.nodesOf(unit)) {
            m_label[id.index()] = inside++;
            m_labeledIn[id.index()] = m_call;
        }
    }
    const Index first = inside; // labels from here on are outside values, in order of appearance
    Index labels = inside;
    std::uint64_t hash = mixHash(23, units.size());
    for (const Index unit : units) {
        hash = mixHash(hash, hashOfScope(m_units.scopeOf[unit], scope));
        for (const NodeId id : m_units.nodesOf(unit)) {
            const Node& node = m_graph.node(id);
            hash = mixHash(hash, hashOfNode(id));
            forEachNode(node.args, node.kwargs, [&](NodeId input) {
                const std::size_t at = input.index();
                if (m_units.weightOf[at] != kNone) {
                    hash = mixHash(mixHash(hash, kWeight), hashOfNode(input));
                    return;
                }
                if (m_labeledIn[at] != m_call) {
                    m_labeledIn[at] = m_call;
                    m_label[at] = labels++;
                }
                hash = mixHash(mixHash(hash, m_label[at] < first ? kInside : kOutside), m_label[at]);
            });
        }
    }
    return hash;
}

std::uint64_t StructureHasher::hashOfKind(std::span<const Index> units, Index scope)
{
    std::uint64_t hash = mixHash(31, units.size());
    for (const Index unit : units) {
        const Node& head = m_graph.node(m_units.heads[unit]);
        hash = mixHash(hash, hashOfScope(m_units.scopeOf[unit], scope));
        hash = mixHash(hash, static_cast<std::uint64_t>(head.op));
        if (head.op != Op::callModule)
            hash = mixHash(hash, m_hash.of(head.target));
    }
    return hash;
}

std::uint64_t StructureHasher::hashOfNode(NodeId id)
{
    std::uint64_t& own = m_own[id.index()];
    if (own == 0) {
        const Node& node = m_graph.node(id);
        const bool withTarget = node.op != Op::getAttr && node.op != Op::placeholder && node.op != Op::callModule;
        own = m_hash.ofCall(node, [](NodeId) { return kInput; }, withTarget);
        if (node.meta.val)
            own = mixHash(own, m_hash.of(*node.meta.val));
        own = own == 0 ? 1 : own;
    }
    return own;
}

std::uint64_t StructureHasher::hashOfScope(Index inner, Index outer)
{
    std::uint64_t hash = 29;
    while (inner != outer && inner != kNone && m_scopes.scopes[inner].depth > m_scopes.scopes[outer].depth) {
        hash = mixHash(hash, m_tail[inner]);
        inner = m_scopes.scopes[inner].parent;
    }
    return hash;
}

} // namespace sunder::collapse
