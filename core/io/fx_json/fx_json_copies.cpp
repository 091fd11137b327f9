#include "io/fx_json/fx_json_copies.h"

namespace sunder {

FxJsonCopies::FxJsonCopies(const Graph& source) : m_source(source), m_positions(source.positions()), m_local(source.idBound())
{
    m_byMeta.reserve(source.size());
    for (const NodeId id : source.nodes())
        if (const InternedString meta = source[id].meta.json; !meta.empty())
            m_byMeta.emplace(meta, id);
}

std::optional<std::uint32_t> FxJsonCopies::positionOf(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    const auto found = node.meta.json.empty() ? m_byMeta.end() : m_byMeta.find(node.meta.json);
    if (found == m_byMeta.end())
        return std::nullopt;
    const NodeId source = found->second;
    const bool equal = isEqual(node, m_source[source]);
    m_local[source.index()] = {m_graph, id};
    return equal ? std::optional(m_positions[source.index()]) : std::nullopt;
}

bool FxJsonCopies::isEqual(const Node& node, const Node& source) const
{
    if (node.op != source.op || node.name != source.name || node.target != source.target || node.type != source.type
        || node.tag != source.tag || node.args.size() != source.args.size() || node.kwargs.size() != source.kwargs.size())
        return false;
    for (std::size_t i = 0; i < node.args.size(); ++i)
        if (!isEqual(node.args[i], source.args[i]))
            return false;
    for (std::size_t i = 0; i < node.kwargs.size(); ++i)
        if (node.kwargs[i].key != source.kwargs[i].key || !isEqual(node.kwargs[i].value, source.kwargs[i].value))
            return false;
    return true;
}

bool FxJsonCopies::isEqual(const Argument& argument, const Argument& source) const
{
    if (source.is(ArgumentKind::node))
        return argument.is(ArgumentKind::node) && argument.asNode() == localOf(source.asNode());
    return mapNodes(source, [this](NodeId node) { return Argument::node(localOf(node)); }) == argument;
}

NodeId FxJsonCopies::localOf(NodeId source) const
{
    const auto& [graph, id] = m_local[source.index()];
    return graph == m_graph ? id : NodeId();
}

} // namespace sunder
