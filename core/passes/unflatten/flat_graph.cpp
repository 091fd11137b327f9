#include "passes/unflatten/flat_graph.h"

#include "ir/python_text.h"
#include "verify/operator_facts.h"

#include <algorithm>
#include <unordered_map>

// What torch does to an exported program before it looks at modules: dead code goes, and the mutations that
// functionalization has turned into outputs become calls of copy_ again.

namespace sunder {
namespace {

/// Whether a node without users may go. Unknown operators are kept: what they do is not to be seen from a file.
class Purity {
public:
    bool isPure(const Node& node)
    {
        if (node.op == Op::getAttr)
            return true;
        if (node.op != Op::callFunction || node.meta.mutated)
            return false;
        const OperatorFacts& facts = m_operators.of(node.op, node.target);
        const bool plain = facts.role == CallRole::function || facts.role == CallRole::getItem
            || facts.role == CallRole::query || facts.role == CallRole::container;
        return plain && facts.write == WriteRule::none && facts.random == RandomRule::never && !facts.assumedPure
            && facts.inPlaceFlag < 0;
    }

private:
    OperatorCatalogue m_operators;
};

std::unordered_map<InternedString, NodeId> placeholdersByName(const Graph& graph)
{
    std::unordered_map<InternedString, NodeId> found;
    for (const NodeId id : graph.nodes())
        if (graph.node(id).op == Op::placeholder)
            found.emplace(graph.node(id).name, id);
    return found;
}

/// The placeholder that a mutation output belongs to.
Result<NodeId> mutated(const Program& program, const OutputSpec& output,
                       const std::unordered_map<InternedString, NodeId>& placeholders)
{
    InternedString name = output.target;
    if (output.kind != OutputKind::inputMutation) {
        const InputKind kind = output.kind == OutputKind::bufferMutation ? InputKind::buffer : InputKind::parameter;
        const auto& inputs = program.signature->inputs;
        const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const InputSpec& input) {
            return input.kind == kind && input.target == output.target;
        });
        name = found != inputs.end() ? found->name : InternedString();
    }
    const auto found = placeholders.find(name);
    if (found == placeholders.end())
        return fail(ErrorCode::refused,
                    "the output " + output.name.str() + " changes " + output.target.str()
                        + ", for which the graph has no placeholder",
                    {.node = output.name.str(), .other = output.target.str()});
    return found->second;
}

bool isMutation(const OutputSpec& output)
{
    return output.kind == OutputKind::bufferMutation || output.kind == OutputKind::inputMutation
        || output.kind == OutputKind::parameterMutation;
}

} // namespace

bool isInPlace(const Node& node)
{
    return operatorFacts(node.op, node.target.view()).write != WriteRule::none;
}

bool hasDeadNodes(const Graph& graph)
{
    Purity purity;
    const auto nodes = graph.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
        return graph.node(id).userCount() == 0 && purity.isPure(graph.node(id));
    });
}

void removeDeadNodes(Graph& graph)
{
    Purity purity;
    for (NodeId id = graph.last(); id;) {
        const NodeId previous = graph.previous(id);
        if (graph.node(id).userCount() == 0 && purity.isPure(graph.node(id)))
            (void)graph.erase(id);
        id = previous;
    }
}

bool hasReservedNames(const Graph& graph)
{
    const auto nodes = graph.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
        const std::string_view name = graph.node(id).name.view();
        return graph.node(id).op != Op::output && (!isPythonIdentifier(name) || isReservedName(name));
    });
}

void renameReserved(Program& program)
{
    Graph& graph = program.rootGraph();
    std::unordered_map<InternedString, InternedString> renamed;
    Namespace names;
    for (const NodeId id : graph.nodes()) {
        const InternedString before = graph.node(id).name;
        const InternedString after = names.create(before);
        if (after != before)
            renamed.emplace(before, after);
        graph.setName(id, after);
    }
    const auto rename = [&](InternedString& name) {
        if (const auto found = renamed.find(name); found != renamed.end())
            name = found->second;
    };
    for (InputSpec& input : program.signature->inputs)
        rename(input.name);
    for (OutputSpec& output : program.signature->outputs) {
        rename(output.name);
        if (output.kind == OutputKind::inputMutation)
            rename(output.target);
    }
}

bool hasMutationOutputs(const Program& program)
{
    const auto& outputs = program.signature->outputs;
    return std::any_of(outputs.begin(), outputs.end(), isMutation);
}

Result<std::vector<MutationCopy>> writeMutations(Program& program, std::span<const NodeId> late)
{
    Graph& graph = program.rootGraph();
    const auto placeholders = placeholdersByName(graph);
    const NodeId output = graph.output();
    const std::vector<OutputSpec>& specs = program.signature->outputs;
    const Arguments values = !graph.node(output).args.empty() && graph.node(output).args[0].isCompound()
        ? Arguments(graph.node(output).args[0].items().begin(), graph.node(output).args[0].items().end())
        : Arguments();
    std::vector<MutationCopy> copies;
    Arguments kept;
    std::unordered_map<std::uint32_t, NodeId> copyOf; // the first copy of a value stands for it from then on
    const InternedString target = intern("torch.ops.aten.copy_.default");
    const InternedString fn = intern("copy_.default");
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i >= specs.size() || !isMutation(specs[i])) {
            kept.push_back(values[i]);
            continue;
        }
        const Result<NodeId> written = mutated(program, specs[i], placeholders);
        if (!written)
            return forward(written);
        if (!values[i].is(ArgumentKind::node))
            return fail(ErrorCode::refused, "the output that changes " + specs[i].target.str() + " is no node",
                        {.other = specs[i].target.str()});
        const std::optional<Argument>& val = graph.node(*written).meta.val;
        if (specs[i].kind == OutputKind::parameterMutation
            && (!val || !val->is(ArgumentKind::tensor) || val->asTensor().requiresGrad))
            return fail(ErrorCode::refused,
                        "the program changes the parameter " + specs[i].target.str()
                            + ", which requires gradients; a module cannot do so in place",
                        {.node = graph.node(*written).name.str(), .other = specs[i].target.str()});
        const NodeId value = values[i].asNode();
        const bool isLate = std::find(late.begin(), late.end(), *written) != late.end();
        const InsertScope scope(graph, isLate ? Graph::InsertPoint::before(output) : Graph::InsertPoint::after(value));
        const NodeId copy = graph.create({.op = Op::callFunction,
                                          .target = target,
                                          .fn = fn,
                                          .args = {Argument::node(*written), Argument::node(value)},
                                          .meta = graph.node(value).meta});
        if (!isLate && copyOf.emplace(value.index(), copy).second)
            graph.replaceUsesIf(value, copy, [&](NodeId user) { return user != copy; });
        copies.push_back({*written, value, copy});
    }
    graph.meta(output).val.reset();
    graph.setArguments(output, {Argument::tuple(std::move(kept))}, {});
    return copies;
}

} // namespace sunder
