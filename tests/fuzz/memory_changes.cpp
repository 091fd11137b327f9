#include "memory_changes.h"

#include <algorithm>

namespace sunder::fuzz {
namespace {

const InternedString& cloneTarget()
{
    static const InternedString target = intern("torch.ops.aten.clone.default");
    return target;
}

bool isMutation(const OutputSpec& output)
{
    return output.kind == OutputKind::bufferMutation || output.kind == OutputKind::inputMutation;
}

std::vector<NodeId> userInputs(const Program& program)
{
    std::vector<NodeId> found;
    std::size_t position = 0;
    for (const NodeId id : program.rootGraph().nodes()) {
        if (program.rootGraph().node(id).op != Op::placeholder)
            continue;
        const std::size_t at = position++;
        if (!program.signature || at >= program.signature->inputs.size() || program.signature->inputs[at].kind == InputKind::user)
            found.push_back(id);
    }
    return found;
}

} // namespace

bool dropMutation(Program& program, Random& random)
{
    Graph& graph = program.rootGraph();
    const NodeId output = graph.output();
    if (!program.signature || !output || graph.node(output).args.size() != 1)
        return false;
    std::vector<OutputSpec>& specs = program.signature->outputs;
    const Argument values = graph.node(output).args.front();
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < specs.size() && i < values.items().size(); ++i)
        if (isMutation(specs[i]))
            places.push_back(i);
    const bool isSequence = values.kind() == ArgumentKind::tuple || values.kind() == ArgumentKind::list;
    if (places.empty() || !isSequence || values.items().size() != specs.size())
        return false;
    const auto place = static_cast<std::ptrdiff_t>(random.of(places));
    specs.erase(specs.begin() + place);
    Arguments kept(values.items().begin(), values.items().end());
    kept.erase(kept.begin() + place);
    graph.setArguments(
        output, {values.kind() == ArgumentKind::tuple ? Argument::tuple(std::move(kept)) : Argument::list(std::move(kept))}, {});
    return true;
}

bool swapInputs(Program& program, Random& random)
{
    const std::vector<NodeId> inputs = userInputs(program);
    if (inputs.size() < 2)
        return false;
    const std::size_t first = random.below(inputs.size());
    const std::size_t second = (first + 1 + random.below(inputs.size() - 1)) % inputs.size();
    Graph& graph = program.rootGraph();
    const auto other = [&](NodeId id) {
        return Argument::node(id == inputs[first] ? inputs[second] : id == inputs[second] ? inputs[first] : id);
    };
    const std::vector<std::uint32_t> positions = graph.positions();
    const std::uint32_t later = std::max(positions[inputs[first].index()], positions[inputs[second].index()]);
    for (const NodeId id : graph.order()) {
        if (graph.node(id).op == Op::placeholder)
            continue;
        bool uses = false;
        for (const NodeId input : graph.inputs(id))
            uses = uses || input == inputs[first] || input == inputs[second];
        if (!uses)
            continue;
        if (positions[id.index()] < later)
            return false;
        Arguments args = mapNodes(graph.node(id).args, other);
        Keywords kwargs = mapNodes(graph.node(id).kwargs, other);
        graph.setArguments(id, std::move(args), std::move(kwargs));
    }
    return true;
}

bool postpone(Graph& graph, NodeId id)
{
    const NodeId next = graph.next(id);
    if (!next || !graph.node(next).isCall() || !graph.node(id).isCall())
        return false;
    for (const NodeId input : graph.inputs(next))
        if (input == id)
            return false;
    graph.moveAfter(id, next);
    return true;
}

bool copyOperand(Graph& graph, NodeId id)
{
    const Node& node = graph.node(id);
    if (node.args.empty() || !node.args.front().is(ArgumentKind::node))
        return false;
    const NodeId operand = node.args.front().asNode();
    const std::optional<Argument>& val = graph.node(operand).meta.val;
    if (!val || !val->is(ArgumentKind::tensor))
        return false;
    TensorMeta meta = val->asTensor();
    meta.storage = {};
    NodeId copy;
    {
        const InsertScope scope(graph, Graph::InsertPoint::before(id));
        copy = graph.create({.op = Op::callFunction,
                             .name = {},
                             .target = cloneTarget(),
                             .args = {Argument::node(operand)},
                             .meta = {.val = Argument::tensor(std::move(meta))}});
    }
    Arguments args = graph.node(id).args;
    Keywords kwargs = graph.node(id).kwargs;
    args.front() = Argument::node(copy);
    graph.setArguments(id, std::move(args), std::move(kwargs));
    return true;
}

bool shareInsteadOfCopy(Graph& graph, Random& random)
{
    std::vector<NodeId> copies;
    for (const NodeId id : graph.nodes())
        if (graph.node(id).target == cloneTarget() && graph.node(id).args.size() == 1
            && graph.node(id).args.front().is(ArgumentKind::node))
            copies.push_back(id);
    if (copies.empty())
        return false;
    const NodeId copy = random.of(copies);
    graph.replaceAllUses(copy, graph.node(copy).args.front().asNode());
    return graph.erase(copy).has_value();
}

} // namespace sunder::fuzz
