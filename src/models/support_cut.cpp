#include "models/support_cut.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

const InternedString kEveryOperator = intern("*");

/// Collects ops by the classes or the paths of all modules around them.
class SupportEntries final {
public:
    void add(InternedString name, const Graph& graph, NodeId op, bool isSupported)
    {
        const auto [place, isNew] = m_places.emplace(name, m_entries.size());
        if (isNew)
            m_entries.push_back({.ops = {.name = name, .dtypes = {}}, .nodes = {}});
        SupportEntry& entry = m_entries[place->second];
        if (!entry.nodes.empty() && entry.nodes.back() == op)
            return; // a module within another one of its class
        sunder::add(entry.ops, graph[op], isSupported);
        entry.nodes.push_back(op);
    }

    [[nodiscard]] std::vector<SupportEntry> take() { return std::move(m_entries); }

private:
    std::unordered_map<InternedString, std::size_t> m_places;
    std::vector<SupportEntry> m_entries;
};

void listOps(SupportCut& cut)
{
    const Program& program = cut.source->program;
    const Graph& graph = program.rootGraph();
    for (ModelOperator& one : modelOperators(program, cut.supported))
        cut.lists[static_cast<std::size_t>(SupportList::operators)].push_back({.ops = std::move(one), .nodes = {}});
    SupportEntries classes;
    SupportEntries modules;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (!node.isCall())
            continue;
        ++cut.ops;
        if (!node.meta.modules)
            continue;
        for (const ModuleFrame& frame : program.stacks[node.meta.modules.index()]) {
            if (!frame.cls.empty())
                classes.add(frame.cls, graph, id, cut.supported.contains(id));
            if (!frame.path.empty())
                modules.add(frame.path, graph, id, cut.supported.contains(id));
        }
    }
    cut.lists[static_cast<std::size_t>(SupportList::classes)] = classes.take();
    cut.lists[static_cast<std::size_t>(SupportList::modules)] = modules.take();
}

void removeAll(std::vector<InternedString>& names, const std::unordered_set<InternedString>& unwanted)
{
    std::erase_if(names, [&](InternedString name) { return unwanted.contains(name); });
}

void addNew(std::vector<InternedString>& names, const std::vector<InternedString>& wanted)
{
    std::unordered_set<InternedString> known(names.begin(), names.end());
    for (const InternedString name : wanted)
        if (known.insert(name).second)
            names.push_back(name);
}

void tickOperators(SupportRules& rules, const SupportCut& cut, const std::vector<InternedString>& names, bool isSupported)
{
    const bool isEvery = std::ranges::find(rules.supported, kEveryOperator) != rules.supported.end();
    if (isSupported && !isEvery)
        addNew(rules.supported, names);
    if (isSupported)
        return;
    if (isEvery) {
        std::erase(rules.supported, kEveryOperator);
        std::vector<InternedString> all;
        for (const SupportEntry& entry : cut.list(SupportList::operators))
            if (!entry.ops.name.empty())
                all.push_back(entry.ops.name);
        addNew(rules.supported, all);
    }
    removeAll(rules.supported, {names.begin(), names.end()});
}

} // namespace

Result<SupportCutPtr> findSupportCut(const SnapshotPtr& source, const SupportWish& wish, ProgressMonitor& monitor)
{
    auto cut = std::make_shared<SupportCut>(SupportCut{.source = source,
                                                       .rules = wish.rules,
                                                       .supported = SupportedOps(source->program, wish.rules),
                                                       .lists = {},
                                                       .refusal = {},
                                                       .tags = {},
                                                       .figures = {},
                                                       .ops = 0,
                                                       .breaks = {}});
    listOps(*cut);
    const SupportGraph graph(source->program);
    const Result<SupportParts> parts = supportParts(graph, cut->supported, wish.options, monitor);
    if (!parts && parts.error().code == ErrorCode::cancelled)
        return forward(parts);
    if (parts) {
        cut->tags = supportTags(graph, *parts);
        cut->figures = supportFigures(graph, *parts);
        cut->breaks = supportBreaks(graph, cut->supported, *parts);
    } else {
        cut->refusal = parts.error().message;
    }
    return cut;
}

Result<std::vector<SupportStep>> findSupportNext(const SnapshotPtr& source, const SupportWish& wish, ProgressMonitor& monitor)
{
    return supportNext(SupportGraph(source->program), SupportedOps(source->program, wish.rules), wish.options, kSupportSteps,
                       monitor);
}

void tickSupport(SupportRules& rules, const SupportCut& cut, SupportList which, std::span<const int> entries, bool isSupported)
{
    const std::vector<SupportEntry>& list = cut.list(which);
    std::vector<InternedString> names;
    std::vector<InternedString> excluded; // ops that their operator would support
    const Graph& graph = cut.source->graph();
    const std::unordered_set<InternedString> listed(rules.supported.begin(), rules.supported.end());
    for (const int at : entries) {
        const SupportEntry& entry = list[static_cast<std::size_t>(at)];
        if (which == SupportList::operators && !entry.ops.name.empty())
            names.push_back(entry.ops.name);
        for (const NodeId op : entry.nodes) {
            names.push_back(graph[op].name);
            if (listed.contains(kEveryOperator) || listed.contains(cut.supported.operatorOf(op)))
                excluded.push_back(graph[op].name);
        }
    }
    if (which == SupportList::operators) {
        tickOperators(rules, cut, names, isSupported);
        return;
    }
    removeAll(isSupported ? rules.unsupportedNodes : rules.supportedNodes, {names.begin(), names.end()});
    if (isSupported)
        addNew(rules.supportedNodes, names);
    else
        addNew(rules.unsupportedNodes, excluded);
}

} // namespace sunder
