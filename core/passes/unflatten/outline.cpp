#include "passes/unflatten/outline.h"

#include <string>

namespace sunder {

std::optional<std::string_view> accessor(std::string_view parent, std::string_view path)
{
    if (parent.empty())
        return path;
    if (path.size() <= parent.size() || !path.starts_with(parent) || path[parent.size()] != '.')
        return std::nullopt;
    return path.substr(parent.size() + 1);
}

NodeId Outline::create(ObjectGraphId id, NodeSpec spec)
{
    Graph& graph = objects.graph(id);
    const InternedString candidate = spec.name.empty() ? candidateName(spec.op, spec.target, spec.fn) : spec.name;
    spec.name = names.create(id, graph, candidate);
    return graph.insert(std::move(spec));
}

namespace {

/// Returns the base name, as in PyTorch's Namespace: "add_12" → "add".
std::string_view withoutNumber(std::string_view name)
{
    const std::size_t end = name.find_last_not_of("0123456789");
    const bool isNumbered = end != std::string_view::npos && end > 0 && end + 1 < name.size() && name[end] == '_';
    return isNumbered ? name.substr(0, end) : name;
}

} // namespace

GraphNames::GraphNames(const Graph& flat)
{
    m_flat.reserve(flat.size());
    for (const NodeId id : flat.nodes())
        if (flat.node(id).op != Op::output)
            m_hasTwins = !m_flat.emplace(flat.node(id).name).second || m_hasTwins;
}

InternedString GraphNames::keep(ObjectGraphId id, const Graph& graph, InternedString flatName)
{
    const bool isCounted = id.index() < m_namespaces.size() && m_namespaces[id.index()];
    return isCounted || m_hasTwins ? createCounted(id, graph, flatName) : flatName;
}

InternedString GraphNames::create(ObjectGraphId id, const Graph& graph, InternedString candidate)
{
    const InternedString name = candidate.empty() ? candidate : plainName(candidate);
    const bool isCounted = id.index() < m_namespaces.size() && m_namespaces[id.index()];
    if (isCounted || m_hasTwins || name.empty() || m_flat.contains(name))
        return createCounted(id, graph, candidate);
    const auto [first, isNew] = m_madeIn.emplace(name, id.index() + 1);
    if (isNew)
        return name;
    const std::uint64_t again = static_cast<std::uint64_t>(id.index()) << 32U | name.id();
    return first != id.index() + 1 && m_madeAgain.insert(again) ? name : createCounted(id, graph, candidate);
}

InternedString GraphNames::plainName(InternedString candidate)
{
    const auto [plain, isNew] = m_plain.emplace(candidate);
    if (isNew) {
        const InternedString name = Namespace().create(candidate);
        plain = isReservedName(withoutNumber(name.view())) ? InternedString() : name;
    }
    return plain;
}

InternedString GraphNames::createCounted(ObjectGraphId id, const Graph& graph, InternedString candidate)
{
    return namespaceOf(id, graph).create(candidate);
}

/// Node ids are in creation order. Nodes without a name get theirs later.
Namespace& GraphNames::namespaceOf(ObjectGraphId id, const Graph& graph)
{
    if (m_namespaces.size() <= id.index())
        m_namespaces.resize(id.index() + 1);
    std::unique_ptr<Namespace>& names = m_namespaces[id.index()];
    if (!names) {
        names = std::make_unique<Namespace>();
        for (std::size_t i = 0; i < graph.idBound(); ++i)
            if (const InternedString name = graph.node(NodeId(i)).name; !name.empty())
                names->create(name);
    }
    return *names;
}

} // namespace sunder
