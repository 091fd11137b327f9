#include "passes/split_tables.h"

#include "analysis/sizes.h"
#include "analysis/tag_assignment.h"
#include "ir/getitem.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

class NameTableBuilder {
public:
    NameTableBuilder(const Program& source, const SplitResult& split)
        : m_source(source), m_split(split), m_tensors(tensorsOfNodes(source)), m_partOfGraph(split.program.graphs.size(), -1)
    {
        for (std::size_t part = 0; part < split.parts.size(); ++part) {
            m_partOfGraph[split.parts[part].index()] = static_cast<std::int32_t>(part);
            m_partNamed.emplace(split.partNames[part], static_cast<std::int32_t>(part));
        }
    }

    void addPaths(NameTable& rows) const
    {
        for (const auto& [before, after] : m_split.fqnMap) {
            NameRow row{.kind = NameKind::module, .source = before, .result = after};
            if (m_split.program.tensors.find(after) || m_source.tensors.find(before))
                row.kind = NameKind::tensor;
            row.part = partOf(after.view());
            row.node = readerOf(row);
            rows.push_back(row);
        }
    }

    void addNodes(NameTable& rows) const
    {
        const Graph& graph = m_source.rootGraph();
        for (const NodeId id : graph.nodes())
            for (const IdentityMap::Pair& pair : m_split.map.resultsOf({m_source.root, id})) {
                NameRow row{.part = m_partOfGraph[pair.result.graph.index()],
                            .source = graph[id].name,
                            .result = m_split.program.node(pair.result).name,
                            .node = pair.result};
                row.kind = pair.created ? NameKind::boundary : kindOf(id);
                if (m_tensors[id.index()]) {
                    row.kind = NameKind::tensor;
                    row.source = m_source.tensors[m_tensors[id.index()]].fqn;
                }
                rows.push_back(row);
            }
    }

private:
    [[nodiscard]] NameKind kindOf(NodeId id) const
    {
        const Op op = m_source.rootGraph()[id].op;
        return op == Op::placeholder || op == Op::output ? NameKind::input : NameKind::op;
    }

    [[nodiscard]] std::int32_t partOf(std::string_view path) const
    {
        for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1))
            if (const auto at = m_partNamed.find(intern(path.substr(0, dot))); at != m_partNamed.end())
                return at->second;
        return -1;
    }

    /// Returns the first node of the part that calls or reads the path.
    NodeRef readerOf(const NameRow& row) const
    {
        const GraphId graph = row.part < 0 ? m_split.program.root : m_split.parts[static_cast<std::size_t>(row.part)];
        auto [readers, isNew] = m_readers.try_emplace(row.part);
        if (isNew)
            for (const NodeId id : m_split.program.graph(graph).nodes()) {
                const Node& node = m_split.program.graph(graph)[id];
                if (node.op == Op::getAttr || node.op == Op::callModule)
                    readers->second.emplace(node.target.view(), id);
            }
        std::string_view path = row.result.view();
        if (row.part >= 0)
            path.remove_prefix(std::min(path.size(), m_split.partNames[static_cast<std::size_t>(row.part)].view().size() + 1));
        const auto at = readers->second.find(path);
        return at == readers->second.end() ? NodeRef() : NodeRef{graph, at->second};
    }

    const Program& m_source;
    const SplitResult& m_split;
    std::vector<TensorId> m_tensors;
    std::vector<std::int32_t> m_partOfGraph;
    std::unordered_map<InternedString, std::int32_t> m_partNamed;
    mutable std::unordered_map<std::int32_t, std::unordered_map<std::string_view, NodeId>> m_readers;
};

std::unordered_map<InternedString, std::int32_t> partsByName(const SplitResult& split)
{
    std::unordered_map<InternedString, std::int32_t> parts;
    for (std::size_t part = 0; part < split.partNames.size(); ++part)
        parts.emplace(split.partNames[part], static_cast<std::int32_t>(part));
    return parts;
}

} // namespace

Result<std::shared_ptr<const NameTable>> makeNameTable(const Program& source, const SplitResult& split, ProgressMonitor& monitor)
{
    const NameTableBuilder builder(source, split);
    auto rows = std::make_shared<NameTable>();
    builder.addPaths(*rows);
    SUNDER_PROPAGATE(monitor.check());
    builder.addNodes(*rows);
    return std::shared_ptr<const NameTable>(std::move(rows));
}

std::vector<NodeId> callsOfParts(const SplitResult& split)
{
    const auto parts = partsByName(split);
    const Graph& main = split.program.rootGraph();
    std::vector<NodeId> calls(split.parts.size());
    for (const NodeId id : main.nodes())
        if (main[id].op == Op::callModule)
            if (const auto part = parts.find(main[id].target);
                part != parts.end() && !calls[static_cast<std::size_t>(part->second)])
                calls[static_cast<std::size_t>(part->second)] = id;
    return calls;
}

std::vector<std::int32_t> partTableOf(const SplitResult& split, int part)
{
    const Graph& graph = part < 0 ? split.program.rootGraph() : split.program.graph(split.parts[static_cast<std::size_t>(part)]);
    std::vector<std::int32_t> table(graph.idBound(), TagAssignment::kTakesNoTag);
    if (part >= 0) {
        for (const NodeId id : graph.nodes())
            if (graph[id].isCall())
                table[id.index()] = part;
        return table;
    }
    const auto parts = partsByName(split);
    for (const NodeId id : graph.nodes()) {
        const NodeId call = itemNumber(graph[id]) ? graph[id].args.front().asNode()
                                                  : id; // a getitem belongs to the call it reads
        if (graph[call].op != Op::callModule)
            continue;
        if (const auto at = parts.find(graph[call].target); at != parts.end())
            table[id.index()] = at->second;
    }
    return table;
}

} // namespace sunder
