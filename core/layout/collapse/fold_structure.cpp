#include "layout/collapse/fold_structure.h"

#include "ir/tensor_meta.h"

#include <string_view>

namespace sunder::collapse {
namespace {

constexpr std::uint64_t kInside = 0x51;
constexpr std::uint64_t kWeight = 0x52;
constexpr std::uint64_t kOutside = 0x53;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value)
{
    hash ^= value + 0x9E3779B97F4A7C15ULL + (hash << 12) + (hash >> 4);
    hash *= 0xBF58476D1CE4E5B9ULL;
    return hash ^ (hash >> 29);
}

/// Hashes dtype and shape of tensors, and other values completely.
std::uint64_t hashOfValue(const Argument& value)
{
    std::uint64_t hash = mix(7, static_cast<std::uint64_t>(value.kind()));
    if (value.is(ArgumentKind::tensor)) {
        hash = mix(hash, value.asTensor().dtype.id());
        for (const Argument& size : value.asTensor().shape)
            hash = mix(hash, hashOf(size));
        return hash;
    }
    if (!value.isCompound())
        return mix(hash, hashOf(value));
    for (const Argument& item : value.items())
        hash = mix(hash, hashOfValue(item));
    return hash;
}

/// Hashes an argument with every node replaced by the same mark; the wiring is hashed separately.
std::uint64_t hashOfLiterals(const Argument& argument)
{
    if (!argument.holdsNodes())
        return mix(11, hashOf(argument));
    std::uint64_t hash = mix(13, static_cast<std::uint64_t>(argument.kind()));
    for (const Argument& key : argument.keys())
        hash = mix(hash, hashOf(key));
    for (const Argument& item : argument.items())
        hash = mix(hash, hashOfLiterals(item));
    return hash;
}

std::uint64_t ownHash(const Node& node)
{
    std::uint64_t hash = mix(17, static_cast<std::uint64_t>(node.op));
    if (node.op != Op::getAttr && node.op != Op::placeholder && node.op != Op::callModule)
        hash = mix(hash, node.target.id());
    for (const Argument& argument : node.args)
        hash = mix(hash, hashOfLiterals(argument));
    for (const Keyword& keyword : node.kwargs)
        hash = mix(mix(hash, keyword.key.id()), hashOfLiterals(keyword.value));
    if (node.meta.val)
        hash = mix(hash, hashOfValue(*node.meta.val));
    return hash == 0 ? 1 : hash;
}

} // namespace

StructureHasher::StructureHasher(const Graph& graph, const ScopeTree& scopes, const UnitGraph& units)
    : m_graph(graph), m_scopes(scopes), m_units(units), m_own(graph.idBound(), 0), m_label(graph.idBound(), 0),
      m_labeledIn(graph.idBound(), 0)
{
    const std::hash<std::string_view> hashText;
    for (const Scope& scope : scopes.scopes) {
        std::string_view name = scope.path.view();
        if (scope.parent != kNone) {
            const std::string_view outer = scopes.scopes[scope.parent].path.view();
            if (name.size() > outer.size() && name.substr(0, outer.size()) == outer)
                name.remove_prefix(outer.size());
        }
        m_tail.push_back(mix(hashText(name), scope.cls.id()));
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
    std::uint64_t hash = mix(23, units.size());
    for (const Index unit : units) {
        hash = mix(hash, hashOfScope(m_units.scopeOf[unit], scope));
        for (const NodeId id : m_units.nodesOf(unit)) {
            const Node& node = m_graph.node(id);
            hash = mix(hash, hashOfNode(id));
            forEachNode(node.args, node.kwargs, [&](NodeId input) {
                const std::size_t at = input.index();
                if (m_units.weightOf[at] != kNone) {
                    hash = mix(mix(hash, kWeight), hashOfNode(input));
                    return;
                }
                if (m_labeledIn[at] != m_call) {
                    m_labeledIn[at] = m_call;
                    m_label[at] = labels++;
                }
                hash = mix(mix(hash, m_label[at] < first ? kInside : kOutside), m_label[at]);
            });
        }
    }
    return hash;
}

std::uint64_t StructureHasher::hashOfKind(std::span<const Index> units, Index scope)
{
    std::uint64_t hash = mix(31, units.size());
    for (const Index unit : units) {
        const Node& head = m_graph.node(m_units.heads[unit]);
        hash = mix(hash, hashOfScope(m_units.scopeOf[unit], scope));
        hash = mix(hash, static_cast<std::uint64_t>(head.op));
        if (head.op != Op::callModule)
            hash = mix(hash, head.target.id());
    }
    return hash;
}

std::uint64_t StructureHasher::hashOfNode(NodeId id)
{
    std::uint64_t& own = m_own[id.index()];
    if (own == 0)
        own = ownHash(m_graph.node(id));
    return own;
}

std::uint64_t StructureHasher::hashOfScope(Index inner, Index outer)
{
    std::uint64_t hash = 29;
    while (inner != outer && inner != kNone && m_scopes.scopes[inner].depth > m_scopes.scopes[outer].depth) {
        hash = mix(hash, m_tail[inner]);
        inner = m_scopes.scopes[inner].parent;
    }
    return hash;
}

} // namespace sunder::collapse
