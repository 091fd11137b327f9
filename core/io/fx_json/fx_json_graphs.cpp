#include "io/fx_json/fx_json_graphs.h"

namespace sunder {
namespace {

/// Copies a value with new graph ids. The reader limits the recursion depth.
Argument renumbered(const Argument& value, const std::vector<GraphId>& newIds)
{
    if (value.is(ArgumentKind::graph))
        return Argument::graph(newIds[value.asGraph().index()]).withExtra(value.extra());
    if (!value.isCompound())
        return value;
    Arguments items;
    bool changed = false;
    for (const Argument& item : value.items()) {
        items.push_back(renumbered(item, newIds));
        changed = changed || !(items.back() == item);
    }
    return changed ? value.withItems(std::move(items)) : value;
}

void renumber(Arguments& values, const std::vector<GraphId>& newIds)
{
    for (Argument& value : values)
        value = renumbered(value, newIds);
}

void renumber(Graph& graph, const std::vector<GraphId>& newIds)
{
    for (const NodeId id : graph.nodes()) {
        Arguments args = graph.node(id).args;
        Keywords kwargs = graph.node(id).kwargs;
        renumber(args, newIds);
        for (Keyword& keyword : kwargs)
            keyword.value = renumbered(keyword.value, newIds);
        graph.rewriteConstants(id, std::move(args), std::move(kwargs));
        if (std::optional<Argument>& val = graph.meta(id).val)
            val = renumbered(*val, newIds);
    }
}

} // namespace

GraphId FxJsonGraphs::find(InternedString id, std::uint64_t line)
{
    const auto [at, isNew] = m_ids.emplace(id, GraphId(m_entries.size()));
    if (isNew) {
        m_entries.push_back({.id = id, .firstLine = line});
        m_program.addGraph(ModuleId());
    }
    return at->second;
}

void FxJsonGraphs::declare(GraphId id, std::optional<InternedString> module, std::uint64_t line, ReadFault& fault)
{
    Entry& entry = m_entries[id.index()];
    if (entry.declared != 0)
        fault.report("graph " + entry.id.str() + " is defined twice");
    entry.declared = ++m_declared;
    entry.firstLine = line;
    entry.module = module;
}

const FxJsonNodeNames& FxJsonGraphs::rootNames() const
{
    static const FxJsonNodeNames kNone;
    return m_program.root ? m_entries[m_program.root.index()].names : kNone;
}

void FxJsonGraphs::bindModules(ReadFault& fault)
{
    for (std::size_t i = 0; i < m_entries.size() && !fault.isReported(); ++i) {
        const Entry& entry = m_entries[i];
        m_faultLine = entry.firstLine;
        if (entry.declared == 0)
            fault.report("refers to graph " + entry.id.str() + ", which does not exist");
        if (!entry.module)
            continue;
        const bool isNew = !m_program.modules.find(*entry.module);
        const ModuleId owner = m_program.modules.ensure(entry.module->view());
        m_program.modules[owner].implied = m_program.modules[owner].implied || isNew;
        if (m_program.modules[owner].graph)
            fault.report("module " + quoted(entry.module->view()) + " has two graphs");
        m_program.modules[owner].graph = GraphId(i);
        m_program.owners[i] = owner;
        if (owner == ModuleTree::root())
            m_program.root = GraphId(i);
    }
    if (!m_program.root && !fault.isReported()) {
        m_faultLine = 0;
        fault.report("has no root graph (the graph of module \"\")");
    }
}

void FxJsonGraphs::sort()
{
    std::vector<GraphId> newIds;
    bool isSorted = true;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        newIds.emplace_back(m_entries[i].declared - 1);
        isSorted = isSorted && newIds.back().index() == i;
    }
    if (isSorted)
        return;
    std::vector<Graph> graphs(m_entries.size());
    std::vector<ModuleId> owners(m_entries.size());
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        graphs[newIds[i].index()] = std::move(m_program.graphs[i]);
        owners[newIds[i].index()] = m_program.owners[i];
    }
    m_program.graphs = std::move(graphs);
    m_program.owners = std::move(owners);
    m_program.root = newIds[m_program.root.index()];
    for (Graph& graph : m_program.graphs)
        renumber(graph, newIds);
    for (const ModuleId id : m_program.modules.depthFirst()) {
        Module& module = m_program.modules[id];
        if (module.graph)
            module.graph = newIds[module.graph.index()];
        if (module.calls)
            for (GraphId& call : *module.calls)
                call = newIds[call.index()];
    }
    for (auto& [graph, extra] : m_program.extras.graphs)
        graph = newIds[graph.index()];
    for (ModuleCall& call : m_program.calls) {
        renumber(call.inputs, newIds);
        renumber(call.outputs, newIds);
    }
}

} // namespace sunder
