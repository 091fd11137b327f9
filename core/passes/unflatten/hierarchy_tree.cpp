#include "passes/unflatten/hierarchy_tree.h"

#include "ir/getitem.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

/// Returns "layers.0" for "layers.0@1": the module of a call.
InternedString withoutCallIndex(InternedString path)
{
    const std::string_view text = path.view();
    const std::size_t at = text.rfind('@');
    return at == std::string_view::npos ? path : intern(std::string(text.substr(0, at)));
}

InternedString lastPart(InternedString qualified)
{
    const std::string_view text = qualified.view();
    const std::size_t dot = text.rfind('.');
    return dot == std::string_view::npos ? qualified : intern(std::string(text.substr(dot + 1)));
}

class TreeBuilder {
public:
    TreeBuilder(const UnflattenResult& result, const Program& source)
        : m_program(result.program), m_map(result.map), m_source(source)
    {
        for (const ModuleStack& stack : m_source.stacks)
            for (const ModuleFrame& frame : stack)
                if (!frame.cls.empty())
                    m_classes.emplace(frame.path, frame.cls);
    }

    HierarchyTree run(std::string_view rootName)
    {
        addEntries(rootName);
        noteGraphs();
        countCalls();
        countOps();
        noteCopies();
        m_tree.representatives = representatives(m_source, m_program, m_map);
        return std::move(m_tree);
    }

private:
    void addEntries(std::string_view rootName)
    {
        const ModuleTree& modules = m_program.modules;
        m_tree.entryOf.assign(modules.size(), -1);
        std::vector<std::uint32_t> pathsOf(modules.size(), 0);
        for (const ModuleId id : modules.depthFirst()) {
            const Module& module = modules[id];
            const Module& object = modules[modules.object(id)];
            HierarchyTree::Entry entry{.module = id, .object = modules.object(id)};
            ++pathsOf[entry.object.index()];
            entry.name = id == ModuleTree::root() ? intern(std::string(rootName)) : module.name;
            entry.isDispatcher = object.calls.has_value();
            if (object.calls)
                entry.graphs = *object.calls;
            else if (object.graph)
                entry.graphs = {object.graph};
            const auto cls = m_classes.find(withoutCallIndex(module.path));
            entry.cls = cls == m_classes.end() ? InternedString() : lastPart(cls->second);
            const auto index = static_cast<std::int32_t>(m_tree.entries.size());
            if (module.parent) {
                entry.parent = m_tree.entryOf[module.parent.index()];
                auto& siblings = m_tree.entries[static_cast<std::size_t>(entry.parent)].children;
                entry.row = static_cast<std::int32_t>(siblings.size());
                siblings.push_back(index);
            }
            m_tree.entryOf[id.index()] = index;
            m_tree.entries.push_back(std::move(entry));
        }
        for (HierarchyTree::Entry& entry : m_tree.entries)
            entry.isShared = pathsOf[entry.object.index()] > 1;
        for (std::size_t i = 1; i < m_tree.entries.size(); ++i)
            m_tree.entries[i].isPreserved = std::ranges::any_of(
                m_tree.entries[i].graphs, [this](GraphId graph) { return keepsSignature(m_program.graph(graph)); });
    }

    void noteGraphs()
    {
        m_tree.entryOfGraph.assign(m_program.graphs.size(), -1);
        for (std::size_t i = 0; i < m_tree.entries.size(); ++i)
            for (const GraphId graph : m_tree.entries[i].graphs)
                if (std::int32_t& at = m_tree.entryOfGraph[graph.index()]; at < 0)
                    at = static_cast<std::int32_t>(i);
    }

    [[nodiscard]] std::int32_t called(GraphId graph, const Node& node) const
    {
        const std::int32_t entry = m_tree.entryOfGraph[graph.index()];
        return entry < 0 ? -1 : m_tree.calledBy(m_program, entry, node);
    }

    void countCalls()
    {
        std::vector<std::uint32_t> calls(m_program.modules.size(), 0);
        m_called.resize(m_program.graphs.size());
        for (std::size_t g = 0; g < m_program.graphs.size(); ++g) {
            const GraphId graph(static_cast<std::uint32_t>(g));
            for (const NodeId id : m_program.graph(graph).nodes()) {
                const Node& node = m_program.graph(graph)[id];
                if (node.op != Op::callModule)
                    continue;
                const std::int32_t entry = called(graph, node);
                m_called[g].push_back(entry);
                if (entry >= 0)
                    ++calls[m_tree.entries[static_cast<std::size_t>(entry)].object.index()];
            }
        }
        for (HierarchyTree::Entry& entry : m_tree.entries) {
            entry.calls = calls[entry.object.index()];
            // As in PyTorch, module lists have a graph without ops that is never called.
            if (entry.calls == 0 && entry.parent >= 0
                && std::ranges::all_of(entry.graphs, [this](GraphId graph) { return isIdle(graph); }))
                entry.graphs.clear();
        }
    }

    [[nodiscard]] bool isIdle(GraphId id) const
    {
        const Graph& graph = m_program.graph(id);
        return std::none_of(graph.nodes().begin(), graph.nodes().end(), [&](NodeId node) { return graph[node].isCall(); });
    }

    /// Counts callees first, each graph once. A graph that calls itself, which no pass creates, adds what has been counted so
    /// far.
    void countOps()
    {
        enum State : std::uint8_t { untouched, open, done };
        std::vector<std::uint8_t> states(m_program.graphs.size(), untouched);
        std::vector<std::uint64_t> ops(m_program.graphs.size(), 0);
        std::vector<std::uint32_t> stack;
        for (std::uint32_t first = 0; first < states.size(); ++first) {
            stack.push_back(first);
            while (!stack.empty()) {
                const std::uint32_t graph = stack.back();
                if (states[graph] == untouched) {
                    states[graph] = open;
                    forEachCalled(graph, [&](GraphId called) {
                        if (states[called.index()] == untouched)
                            stack.push_back(static_cast<std::uint32_t>(called.index()));
                    });
                    continue;
                }
                stack.pop_back();
                if (std::exchange(states[graph], done) == done)
                    continue;
                for (const NodeId id : m_program.graphs[graph].nodes())
                    ops[graph] += m_program.graphs[graph][id].isCall() && m_program.graphs[graph][id].op != Op::callModule ? 1
                                                                                                                           : 0;
                forEachCalled(graph, [&](GraphId called) { ops[graph] += ops[called.index()]; });
            }
        }
        for (HierarchyTree::Entry& entry : m_tree.entries)
            for (const GraphId graph : entry.graphs)
                entry.ops += ops[graph.index()];
        for (std::size_t i = m_tree.entries.size(); i-- > 1;) // children follow their parents
            if (HierarchyTree::Entry& parent = m_tree.entries[static_cast<std::size_t>(m_tree.entries[i].parent)];
                parent.graphs.empty())
                parent.ops += m_tree.entries[i].ops;
    }

    template <typename Visit>
    void forEachCalled(std::uint32_t graph, const Visit& visit) const
    {
        for (const std::int32_t entry : m_called[graph]) {
            if (entry < 0)
                continue;
            const auto& graphs = m_tree.entries[static_cast<std::size_t>(entry)].graphs;
            if (!graphs.empty())
                visit(graphs.front()); // a call runs one graph of a dispatcher, and all of them are alike
        }
    }

    void noteCopies()
    {
        m_tree.copies.resize(m_program.graphs.size());
        for (const IdentityMap::Pair& pair : m_map.pairs())
            if (!pair.created && pair.source.graph == m_source.root)
                m_tree.copies[pair.result.graph.index()].emplace_back(pair.source.node, pair.result.node);
    }

    const Program& m_program;
    const IdentityMap& m_map;
    const Program& m_source;
    std::unordered_map<InternedString, InternedString> m_classes; ///< path in the source → class
    std::vector<std::vector<std::int32_t>> m_called; ///< per graph: callees of its call_module nodes, as entries
    HierarchyTree m_tree;
};

constexpr std::string_view kFlattenSpec = "torch.fx._pytree.tree_flatten_spec";

/// Returns the call that flattens a module's own inputs. Calls that flatten the result of another call have a node as first
/// argument.
NodeId flatteningOf(const Graph& graph)
{
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (node.op == Op::callFunction && node.target.view() == kFlattenSpec)
            return node.args.empty() || !node.args[0].isCompound() ? NodeId() : id;
        if (node.isCall())
            return {}; // a flattening would precede all calls
    }
    return {};
}

} // namespace

std::int32_t HierarchyTree::calledBy(const Program& program, std::int32_t entry, const Node& call) const
{
    if (call.op != Op::callModule)
        return -1;
    const std::string path = joinPath(program.modules[entries[static_cast<std::size_t>(entry)].object].path.view(),
                                      call.target.view());
    if (const ModuleId exact = program.modules.find(intern(path)))
        return entryOf[exact.index()];
    const ModuleId object = program.modules.resolve(path);
    return object ? entryOf[object.index()] : -1;
}

std::vector<NodeId> HierarchyTree::sourcesBelow(std::int32_t entry) const
{
    std::vector<NodeId> nodes;
    std::vector<std::int32_t> stack{entry};
    while (!stack.empty()) {
        const Entry& at = entries[static_cast<std::size_t>(stack.back())];
        stack.pop_back();
        for (const GraphId graph : at.graphs)
            for (const Copy& copy : copies[graph.index()])
                nodes.push_back(copy.first);
        stack.insert(stack.end(), at.children.begin(), at.children.end());
    }
    sortUnique(nodes);
    return nodes;
}

std::vector<std::int32_t> HierarchyTree::pathTo(std::int32_t entry) const
{
    std::vector<std::int32_t> path;
    for (std::int32_t at = entry; at >= 0; at = entries[static_cast<std::size_t>(at)].parent)
        path.push_back(at);
    std::reverse(path.begin(), path.end());
    return path;
}

std::pair<std::int32_t, int> HierarchyTree::holderOf(const IdentityMap& map, GraphId root, std::span<const NodeId> sources) const
{
    constexpr std::size_t kEnough = 2'000;
    std::vector<std::int32_t> common;
    int call = 0;
    bool isFirst = true;
    for (const NodeId source : sources.first(std::min(sources.size(), kEnough)))
        for (const IdentityMap::Pair& pair : map.resultsOf({root, source})) {
            const std::int32_t holder = entryOfGraph[pair.result.graph.index()];
            if (pair.created || holder < 0)
                continue;
            const std::vector<std::int32_t> path = pathTo(holder);
            if (std::exchange(isFirst, false)) {
                common = path;
                const auto& graphs = entries[static_cast<std::size_t>(holder)].graphs;
                call = static_cast<int>(std::find(graphs.begin(), graphs.end(), pair.result.graph) - graphs.begin());
                continue;
            }
            const auto end = std::mismatch(common.begin(), common.end(), path.begin(), path.end()).first;
            if (end != common.end())
                call = 0;
            common.erase(end, common.end());
        }
    return {common.empty() ? -1 : common.back(), call};
}

HierarchyTree hierarchyTree(const UnflattenResult& result, const Program& source, std::string_view rootName)
{
    return TreeBuilder(result, source).run(rootName);
}

bool keepsSignature(const Graph& graph)
{
    return flatteningOf(graph).isValid();
}

std::vector<NodeId> flattenedInputs(const Graph& graph)
{
    const NodeId flattening = flatteningOf(graph);
    if (!flattening)
        return {};
    const auto isInput = [&](NodeId id) { return graph[id].op == Op::placeholder; };
    const auto inputs = static_cast<std::size_t>(std::count_if(graph.nodes().begin(), graph.nodes().end(), isInput));
    std::vector<NodeId> values(inputs);
    bool isOneEach = true;
    for (const NodeId user : graph.users(flattening)) {
        const std::optional<std::int64_t> at = itemNumber(graph[user]);
        if (!at)
            continue;
        if (*at >= 0 && std::cmp_less(*at, inputs))
            values[static_cast<std::size_t>(*at)] = user;
        else
            isOneEach = false; // an input with several values
    }
    return isOneEach ? values : std::vector<NodeId>(inputs);
}

} // namespace sunder
