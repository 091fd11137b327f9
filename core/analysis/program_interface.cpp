#include "analysis/program_interface.h"

#include "analysis/sizes.h"
#include "ir/python_text.h"
#include "ir/value_kind.h"

namespace sunder {
namespace {

InterfaceValue ofNode(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    return {.name = node.name.str(), .type = node.meta.val ? describeValue(*node.meta.val) : std::string()};
}

InterfaceValue ofValue(const Graph& graph, const Argument& value)
{
    if (value.is(ArgumentKind::node))
        return ofNode(graph, value.asNode());
    const auto nameOfNode = [&](NodeId id) { return graph[id].name.str(); };
    const auto asItIs = [](InternedString name) { return name.str(); };
    return {.name = {}, .type = pythonRepr(value, {.node = nameOfNode, .callable = asItIs}), .isLiteral = true};
}

/// Adds the leaves of the output's arguments. Readers bound the nesting depth.
void addLeaves(const Graph& graph, const Argument& value, std::vector<InterfaceValue>& out)
{
    const bool isNest = value.is(ArgumentKind::tuple) || value.is(ArgumentKind::list) || value.is(ArgumentKind::dict);
    if (!isNest)
        return out.push_back(ofValue(graph, value));
    for (const Argument& item : value.items())
        addLeaves(graph, item, out);
}

} // namespace

std::vector<InterfaceValue> inputsOf(const Program& program)
{
    const Graph& graph = program.rootGraph();
    const std::vector<TensorId> weights = tensorsOfNodes(program);
    std::vector<InterfaceValue> inputs;
    std::size_t next = 0;
    for (const NodeId id : graph.nodes()) {
        if (graph[id].op != Op::placeholder)
            continue;
        const bool isListed = program.signature && next < program.signature->inputs.size();
        const InputSpec* spec = isListed ? &program.signature->inputs[next++] : nullptr;
        if (weights[id.index()] || (spec != nullptr && spec->kind != InputKind::user))
            continue;
        InterfaceValue input = ofNode(graph, id);
        if (spec != nullptr && !spec->value.is(ArgumentKind::node)) {
            input.type = ofValue(graph, spec->value).type;
            input.isLiteral = true;
        }
        inputs.push_back(std::move(input));
    }
    return inputs;
}

std::vector<InterfaceValue> outputsOf(const Program& program)
{
    const Graph& graph = program.rootGraph();
    std::vector<InterfaceValue> outputs;
    const NodeId output = graph.output();
    if (output)
        for (const Argument& value : graph[output].args)
            addLeaves(graph, value, outputs);
    if (!program.signature || program.signature->outputs.size() != outputs.size())
        return outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        outputs[i].kind = program.signature->outputs[i].kind;
        outputs[i].target = program.signature->outputs[i].target;
    }
    return outputs;
}

std::string describeRole(const InterfaceValue& output)
{
    switch (output.kind) {
    case OutputKind::bufferMutation: return "new value of buffer " + output.target.str();
    case OutputKind::parameterMutation: return "new value of parameter " + output.target.str();
    case OutputKind::inputMutation: return "new value of input " + output.target.str();
    case OutputKind::loss: return "loss";
    case OutputKind::gradient: return "gradient of " + output.target.str();
    case OutputKind::token: return "effect token";
    case OutputKind::user: break;
    }
    return "result";
}

std::string_view nameOf(OutputKind kind)
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

} // namespace sunder
