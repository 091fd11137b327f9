#include "ir/lint.h"

#include "ir/graph_values.h"
#include "ir/program.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace sunder {
namespace {

/// A reference from a node of one graph to another graph.
struct Reference {
    NodeId node;
    GraphId graph;
};

class References {
public:
    explicit References(const Program& program) : m_program(program)
    {
        for (std::size_t i = 1; i < program.modules.size(); ++i) // the root's graph cannot be called by path
            m_modulesHaveGraphs |= program.modules[ModuleId(i)].graph.isValid() || program.modules[ModuleId(i)].calls
                || program.modules[ModuleId(i)].same.isValid();
    }

    [[nodiscard]] std::vector<Reference> of(GraphId graph) const
    {
        std::vector<Reference> found;
        const ModuleId owner = m_program.owners[graph.index()];
        for (const NodeId id : m_program.graph(graph).nodes()) {
            const Node& node = m_program.graph(graph).node(id);
            for (const Argument& argument : node.args)
                addArgument(argument, id, found);
            for (const Keyword& keyword : node.kwargs)
                addArgument(keyword.value, id, found);
            if (m_modulesHaveGraphs && owner && (node.op == Op::callModule || node.op == Op::getAttr))
                addModule(joinPath(m_program.modules[owner].path.view(), node.target.view()), id, found);
        }
        return found;
    }

private:
    static void addArgument(const Argument& argument, NodeId node, std::vector<Reference>& found)
    {
        if (argument.is(ArgumentKind::graph))
            found.push_back({node, argument.asGraph()});
        for (const Argument& item : argument.items())
            addArgument(item, node, found);
    }

    void addModule(const std::string& path, NodeId node, std::vector<Reference>& found) const
    {
        const ModuleId id = m_program.modules.resolve(path);
        if (!id)
            return;
        const Module& module = m_program.modules[id];
        if (module.graph)
            found.push_back({node, module.graph});
        if (module.calls)
            for (const GraphId graph : *module.calls)
                found.push_back({node, graph});
    }

    const Program& m_program;
    bool m_modulesHaveGraphs = false;
};

/// Returns a node through which a graph contains itself; nothing if there is none. The inner graph is an argument of the node, or
/// belongs to the module that the node calls or reads, and leads back to the node's own graph. Such a program does not terminate
/// and cannot be run. Linear in nodes and arguments.
std::optional<NodeRef> nodeThatHoldsItsOwnGraph(const Program& program)
{
    enum class State : std::uint8_t { unseen, open, done };
    struct Open {
        GraphId graph;
        std::vector<Reference> references;
        std::size_t next = 0;
    };
    const References references(program);
    std::vector<State> states(program.graphs.size(), State::unseen);
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        if (states[i] != State::unseen)
            continue;
        std::vector<Open> path = {{GraphId(i), references.of(GraphId(i))}};
        states[i] = State::open;
        while (!path.empty()) {
            if (path.back().next == path.back().references.size()) {
                states[path.back().graph.index()] = State::done;
                path.pop_back();
                continue;
            }
            const Reference reference = path.back().references[path.back().next++];
            State& state = states[reference.graph.index()];
            if (state == State::open)
                return NodeRef{path.back().graph, reference.node};
            if (state == State::done)
                continue;
            state = State::open;
            path.push_back({reference.graph, references.of(reference.graph)});
        }
    }
    return std::nullopt;
}

void report(Diagnostics& found, const Node& node, std::string message, std::string other = {})
{
    found.push_back({Severity::error, std::move(message), {.node = node.name.str(), .other = std::move(other)}});
}

void lintInputs(const Graph& graph, NodeId id, const std::vector<std::uint32_t>& positions, Diagnostics& found)
{
    const Node& node = graph.node(id);
    std::size_t distinct = 0;
    std::unordered_set<NodeId> seen;
    forEachNode(node.args, node.kwargs, [&](NodeId input) {
        if (input.index() >= graph.idBound() || graph.node(input).isErased()) {
            report(found, node, node.name.str() + " uses a node that is not in its graph");
            return;
        }
        if (!seen.insert(input).second)
            return;
        ++distinct;
        if (positions[input.index()] >= positions[id.index()])
            report(found, node, node.name.str() + " uses " + graph.node(input).name.str() + " before it is defined",
                   graph.node(input).name.str());
    });
    std::size_t linked = 0;
    for (const NodeId input : graph.inputs(id))
        linked += seen.contains(input) ? 1 : 0;
    if (linked != distinct)
        report(found, node, node.name.str() + " is not among the users of all its inputs");
}

/// Whether the path leads to a tensor or to a module. The last component may be an unknown attribute of a leaf module.
bool attributeExists(const Program& program, ModuleId owner, std::string_view target)
{
    const std::string path = joinPath(program.modules[owner].path.view(), target);
    if (program.tensors.find(intern(path)) || program.modules.resolve(path))
        return true;
    const std::size_t dot = path.rfind('.');
    const ModuleId holder = program.modules.resolve(dot == std::string::npos ? "" : path.substr(0, dot));
    if (!holder)
        return false;
    const std::string_view last = std::string_view(path).substr(dot == std::string::npos ? 0 : dot + 1);
    return program.tensors.find(intern(joinPath(program.modules[holder].path.view(), last))) || program.tensors.size() == 0
        || program.modules[holder].leaf.value_or(false);
}

void lintTargets(const Program& program, GraphId graphId, Diagnostics& found)
{
    const ModuleId owner = program.owners[graphId.index()];
    if (!owner)
        return;
    const Graph& graph = program.graph(graphId);
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (node.op != Op::callModule)
            continue;
        if (!program.modules.resolve(joinPath(program.modules[owner].path.view(), node.target.view())))
            report(found, node, node.name.str() + " calls module " + node.target.str() + ", which does not exist",
                   node.target.str());
    }
}

void lintAttributes(const Program& program, GraphId graphId, Diagnostics& found)
{
    const ModuleId owner = program.owners[graphId.index()];
    if (!owner)
        return;
    const Graph& graph = program.graph(graphId);
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (node.op != Op::getAttr || attributeExists(program, owner, node.target.view()))
            continue;
        if (node.meta.val && node.meta.val->is(ArgumentKind::opaque)) // a tree spec: its value is in the node itself
            continue;
        found.push_back({Severity::warning,
                         node.name.str() + " reads " + node.target.str() + ", which the file does not define",
                         {.node = node.name.str(), .other = node.target.str()}});
    }
}

} // namespace

Diagnostics lint(const Graph& graph)
{
    Diagnostics found;
    const std::vector<std::uint32_t> positions = graph.positions();
    std::unordered_set<InternedString> names;
    NodeId output;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (!names.insert(node.name).second)
            report(found, node, "two nodes are named " + node.name.str());
        if (node.op == Op::output) {
            if (output)
                report(found, node, "a graph has two outputs: " + graph.node(output).name.str() + " and " + node.name.str());
            output = id;
        }
        lintInputs(graph, id, positions, found);
    }
    return found;
}

Diagnostics lint(const Program& program)
{
    Diagnostics found;
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        const Diagnostics ofGraph = lint(program.graphs[i]);
        found.insert(found.end(), ofGraph.begin(), ofGraph.end());
        lintTargets(program, GraphId(i), found);
        lintAttributes(program, GraphId(i), found);
    }
    if (const std::optional<NodeRef> cycle = nodeThatHoldsItsOwnGraph(program))
        report(found, program.node(*cycle), "the graph of " + program.node(*cycle).name.str() + " contains itself");
    return found;
}

} // namespace sunder
