#include "ir/lint.h"

#include "ir/graph_cycles.h"

#include <unordered_set>

namespace sunder {
namespace {

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
