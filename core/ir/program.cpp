#include "ir/program.h"

namespace sunder {

std::string_view outputKindName(OutputKind kind)
{
    switch (kind) {
    case OutputKind::bufferMutation: return "buffer_mutation";
    case OutputKind::parameterMutation: return "parameter_mutation";
    case OutputKind::inputMutation: return "input_mutation";
    case OutputKind::loss: return "loss";
    case OutputKind::gradient: return "gradient";
    case OutputKind::token: return "token";
    case OutputKind::user: break;
    }
    return "user";
}

void renameNodes(ExportSignature& signature, const std::function<InternedString(InternedString)>& nameOf)
{
    const auto rename = [&](InternedString& name) {
        if (!name.empty())
            name = nameOf(name);
    };
    for (InputSpec& input : signature.inputs)
        rename(input.name);
    for (OutputSpec& output : signature.outputs) {
        rename(output.name);
        if (output.kind == OutputKind::inputMutation)
            rename(output.target);
    }
}

GraphId Program::addGraph(ModuleId owner)
{
    const GraphId id(graphs.size());
    graphs.emplace_back();
    owners.push_back(owner);
    if (owner)
        modules[owner].graph = id;
    if (owner == ModuleTree::root())
        root = id;
    return id;
}

std::size_t Program::nodeCount() const
{
    std::size_t count = 0;
    for (const Graph& graph : graphs)
        count += graph.size();
    return count;
}

TensorId Program::tensorAt(InternedString target) const
{
    if (const TensorId found = tensors.find(target); found)
        return found;
    const std::string_view path = target.view();
    const std::size_t dot = path.rfind('.');
    if (dot == std::string_view::npos)
        return {};
    const ModuleId holder = modules.resolve(path.substr(0, dot));
    return holder ? tensors.find(intern(joinPath(modules[holder].path.view(), path.substr(dot + 1)))) : TensorId();
}

const ModuleStack& Program::stackOf(const Node& node) const
{
    static const ModuleStack kEmpty;
    return node.meta.modules ? stacks[node.meta.modules.index()] : kEmpty;
}

StackId Program::statedStack(const Node& node) const
{
    return node.meta.modules ? stacks[node.meta.modules.index()].stated.value_or(node.meta.modules) : node.meta.modules;
}

NodeId moduleCall(const Graph& graph, InternedString path)
{
    for (const NodeId id : graph.nodes())
        if (graph[id].op == Op::callModule && graph[id].target == path)
            return id;
    return {};
}

} // namespace sunder
