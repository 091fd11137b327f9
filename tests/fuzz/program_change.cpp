// Makes one change in a program, as a broken pass could.
#include "memory_changes.h"
#include "random_program.h"

#include "operators/operator_library.h"

#include <algorithm>
#include <array>

namespace sunder::fuzz {
namespace {

bool changeOperator(Graph& graph, NodeId id, Random& random)
{
    static constexpr std::array kOther{"torch.cos", "torch.ops.aten.mul.Tensor", "torch.sub", "torch.ops.fuzz.other.default"};
    const Node& node = graph.node(id);
    if (node.op == Op::callFunction) {
        const InternedString other = intern(random.of(kOther));
        if (operatorName(node.target.view()).name == operatorName(other.view()).name) // the same operator with another spelling
            return false;
        graph.setTarget(id, other, {});
        return true;
    }
    if (node.op != Op::callMethod)
        return false;
    graph.setTarget(id, intern(node.target == intern("cos") ? "exp" : "cos"), {});
    return true;
}

bool changeOperand(Graph& graph, NodeId id, Random& random)
{
    const std::vector<NodeId> order = graph.order();
    const auto at = static_cast<std::size_t>(std::ranges::find(order, id) - order.begin());
    std::size_t operands = 0;
    forEachNode(graph.node(id).args, graph.node(id).kwargs, [&](NodeId) { ++operands; });
    if (operands == 0 || at == 0)
        return false;
    const std::size_t wanted = random.below(operands);
    const NodeId other = order[random.below(at)];
    std::size_t next = 0;
    bool changed = false;
    const auto replace = [&](NodeId input) {
        const bool here = next++ == wanted;
        changed = changed || (here && input != other);
        return Argument::node(here ? other : input);
    };
    Arguments args = mapNodes(graph.node(id).args, replace);
    Keywords kwargs = mapNodes(graph.node(id).kwargs, replace);
    graph.setArguments(id, std::move(args), std::move(kwargs));
    return changed;
}

Argument otherConstant(const Argument& value, bool& changed)
{
    if (changed)
        return value;
    changed = true;
    switch (value.kind()) {
    case ArgumentKind::integer: return Argument::integer(value.asInteger() + 1);
    case ArgumentKind::floating: return Argument::floating(value.asFloating() + 0.5);
    case ArgumentKind::boolean: return Argument::boolean(!value.asBoolean());
    case ArgumentKind::dtype:
        return Argument::word(ArgumentKind::dtype, intern(value.text().view() == "float16" ? "float64" : "float16"));
    case ArgumentKind::string: return Argument::string(intern(value.text().str() + "?"));
    default: changed = false;
    }
    if (!value.isCompound())
        return value;
    Arguments items;
    for (const Argument& item : value.items())
        items.push_back(otherConstant(item, changed));
    return value.withItems(std::move(items));
}

bool changeConstant(Graph& graph, NodeId id)
{
    bool changed = false;
    Arguments args;
    Keywords kwargs;
    for (const Argument& argument : graph.node(id).args)
        args.push_back(otherConstant(argument, changed));
    for (const Keyword& keyword : graph.node(id).kwargs)
        kwargs.push_back({keyword.key, otherConstant(keyword.value, changed)});
    graph.setArguments(id, std::move(args), std::move(kwargs));
    return changed;
}

bool swapOperands(Graph& graph, NodeId id)
{
    Arguments args = graph.node(id).args;
    Keywords kwargs = graph.node(id).kwargs;
    if (args.size() == 1 && args[0].items().size() > 1 && !args[0].is(ArgumentKind::slice)) {
        Arguments items(args[0].items().begin(), args[0].items().end());
        std::swap(items.front(), items.back());
        args[0] = args[0].withItems(std::move(items));
    } else if (args.size() > 1) {
        std::swap(args[0], args[1]);
    } else {
        return false;
    }
    graph.setArguments(id, std::move(args), std::move(kwargs));
    return true;
}

bool leaveOut(Graph& graph, NodeId id)
{
    NodeId input;
    for (const NodeId used : graph.inputs(id)) {
        input = used;
        break;
    }
    if (!input.isValid() || !graph.node(id).isCall())
        return false;
    graph.replaceAllUses(id, input);
    return graph.erase(id).has_value();
}

} // namespace

bool change(Program& program, Random& random)
{
    switch (random.below(12)) {
    case 0: return swapInputs(program, random);
    case 1: return dropMutation(program, random);
    case 2: return shareInsteadOfCopy(program.graphs[random.below(program.graphs.size())], random);
    default: break;
    }
    Graph& graph = program.graphs[random.below(program.graphs.size())];
    std::vector<NodeId> places;
    for (const NodeId id : graph.nodes())
        if (graph.node(id).isCall() || graph.node(id).op == Op::output)
            places.push_back(id);
    if (places.empty())
        return false;
    const NodeId id = random.of(places);
    if (graph.node(id).op == Op::output)
        return random.chance(50) ? swapOperands(graph, id) : changeOperand(graph, id, random);
    switch (random.below(7)) {
    case 0: return changeOperator(graph, id, random);
    case 1: return changeOperand(graph, id, random);
    case 2: return changeConstant(graph, id);
    case 3: return swapOperands(graph, id);
    case 4: return postpone(graph, id);
    case 5: return copyOperand(graph, id);
    default: return leaveOut(graph, id);
    }
}

} // namespace sunder::fuzz
