#include "passes/to_exported/exported_calls.h"

#include "ir/getitem.h"
#include "operators/operator_library.h"
#include "passes/to_exported/value_tree.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::size_t kMaxItems = 10'000;

tl::unexpected<Error> refuseCall(const Node& node, const std::string& why)
{
    return fail(ErrorCode::refused, node.name.str() + " " + why, {.node = node.name.str()});
}

/// Converts a recorded value to the form used in exported programs: a named tuple becomes a tuple.
Argument plainValue(const Argument& val)
{
    if (!val.is(ArgumentKind::namedTuple))
        return val;
    return Argument::tuple(Arguments(val.items().begin(), val.items().end()));
}

/// Returns whether a call is a Python operation on sizes without tensor arguments.
bool isOnSymbols(const Graph& graph, Op op, const ChosenCall& call)
{
    if (op != Op::callFunction || !isSymbolicTarget(call.target.view()) || isRegisteredOperator(call.target.view()))
        return false;
    bool takesTensor = false;
    forEachNode(call.args, call.kwargs, [&](NodeId id) {
        const std::optional<Argument>& val = graph.node(id).meta.val;
        takesTensor = takesTensor || (val && val->is(ArgumentKind::tensor));
    });
    return !takesTensor;
}

bool isAttributeOf(const Node& node)
{
    return node.op == Op::callFunction && node.target.view() == "builtins.getattr" && node.args.size() == 2
        && node.args[0].is(ArgumentKind::node) && node.args[1].is(ArgumentKind::string);
}

/// Returns the index of a field if the value is a named tuple, as in `torch.max(x, 1).values`.
std::optional<std::int64_t> fieldNumber(const std::optional<Argument>& val, InternedString name)
{
    if (!val || !val->is(ArgumentKind::namedTuple))
        return std::nullopt;
    const auto found = std::ranges::find(val->fields(), name);
    return found != val->fields().end() ? std::optional(found - val->fields().begin()) : std::nullopt;
}

} // namespace

ExportedCalls::ExportedCalls(const Program& source, Graph& graph, Namespace& names, std::vector<Argument>& representatives)
    : m_source(source), m_graph(graph), m_names(names), m_standIns(representatives), m_operators(source)
{
}

Result<void> ExportedCalls::add(NodeId call)
{
    const Node& node = from().node(call);
    if (isGetitem(node) && node.args.size() == 2 && node.args[0].is(ArgumentKind::node))
        return takeItem(call, m_standIns[node.args[0].asNode().index()], node.args[1]);
    if (isAttributeOf(node)) {
        const NodeId of = node.args[0].asNode();
        if (const auto number = fieldNumber(from().node(of).meta.val, node.args[1].text()))
            return takeItem(call, m_standIns[of.index()], Argument::integer(*number));
    }
    ChosenCall made{.target = node.target};
    for (const Argument& argument : node.args) {
        Result<Argument> value = translate(argument);
        if (!value)
            return refuseCall(node, value.error().message);
        made.args.push_back(std::move(*value));
    }
    for (const Keyword& keyword : node.kwargs) {
        Result<Argument> value = translate(keyword.value);
        if (!value)
            return refuseCall(node, value.error().message);
        made.kwargs.push_back({keyword.key, std::move(*value)});
    }
    if (std::optional<Argument> shape = shapeOf(call, made.args)) {
        m_standIns[call.index()] = std::move(*shape);
        return {};
    }
    if (isOnSymbols(m_graph, node.op, made) || isHigherOrderTarget(node.target.view()))
        return append(call, std::move(made));
    Result<ChosenCall> exact = exactCall(m_operators, m_graph, node, made.args, made.kwargs);
    if (!exact)
        return refuseCall(node, exact.error().message);
    return append(call, std::move(*exact));
}

/// Keeps constant sizes of the file, since an exported program only accepts inputs of these sizes. Symbolic sizes are read by
/// sym_size calls.
std::optional<Argument> ExportedCalls::shapeOf(NodeId call, const Arguments& args)
{
    const Node& node = from().node(call);
    const bool queriesSize = node.op == Op::callMethod && node.target.view() == "size" && !args.empty() && node.kwargs.empty();
    const bool readsShape = isAttributeOf(node) && node.args[1].text().view() == "shape";
    if ((!queriesSize && !readsShape) || !args[0].is(ArgumentKind::node))
        return std::nullopt;
    const NodeId tensor = args[0].asNode();
    const std::optional<Argument> val = m_graph.node(tensor).meta.val;
    if (!val || !val->is(ArgumentKind::tensor) || val->asTensor().shape.size() > kMaxItems)
        return std::nullopt;
    const Argument shape = Argument::tuple(val->asTensor().shape);
    if (queriesSize && args.size() == 2) {
        const std::optional<Argument> size = itemAt(shape, args[1]);
        if (!size || !args[1].is(ArgumentKind::integer))
            return std::nullopt;
        const std::int64_t dimension = args[1].asInteger();
        const auto count = static_cast<std::int64_t>(shape.items().size());
        return sizeOf(tensor, dimension < 0 ? dimension + count : dimension, *size, node.name);
    }
    Arguments sizes;
    for (const Argument& size : shape.items()) {
        std::optional<Argument> one = sizeOf(tensor, static_cast<std::int64_t>(sizes.size()), size, {});
        if (!one)
            return std::nullopt;
        sizes.push_back(std::move(*one));
    }
    return Argument::tuple(std::move(sizes));
}

/// Creates at most one sym_size call per size.
std::optional<Argument> ExportedCalls::sizeOf(NodeId tensor, std::int64_t dimension, const Argument& size, InternedString name)
{
    if (size.is(ArgumentKind::integer))
        return size;
    if (!size.is(ArgumentKind::symbolic))
        return std::nullopt;
    const auto [found, isNew] = m_sizes.try_emplace({tensor, dimension});
    if (isNew) {
        NodeSpec spec{.op = Op::callFunction,
                      .name = name.empty() ? m_names.create("sym_size_int") : name,
                      .target = intern("torch.ops.aten.sym_size.int"),
                      .args = {Argument::node(tensor), Argument::integer(dimension)}};
        spec.meta.val = size;
        found->second = m_graph.append(std::move(spec));
    }
    return Argument::node(found->second);
}

Result<void> ExportedCalls::append(NodeId call, ChosenCall made)
{
    const Node& node = from().node(call);
    const bool returnsValue = [&] {
        if (!isRegisteredOperator(made.target.view()))
            return true;
        const OperatorFacts& facts = m_operators.of(Op::callFunction, made.target);
        return facts.schema() == nullptr || !facts.schema()->results.empty();
    }();
    if (!node.meta.val && returnsValue)
        return refuseCall(node,
                          "has no value (\"val\") in the file, but an exported program needs one for each node; trace with "
                          "make_fx or run torch.fx.passes.shape_prop.ShapeProp, and save the program again");
    NodeSpec spec{.op = Op::callFunction,
                  .name = node.name,
                  .target = made.target,
                  .args = std::move(made.args),
                  .kwargs = std::move(made.kwargs),
                  .type = node.type,
                  .tag = node.tag,
                  .meta = node.meta,
                  .extra = node.extra};
    if (made.target == node.target)
        spec.fn = node.fn;
    if (spec.meta.val)
        spec.meta.val = plainValue(*spec.meta.val);
    m_standIns[call.index()] = Argument::node(m_graph.append(std::move(spec)));
    return {};
}

/// Resolves a getitem: one of several results of a call, or an item of a flattened input.
Result<void> ExportedCalls::takeItem(NodeId call, const Argument& of, const Argument& key)
{
    const Node& node = from().node(call);
    if (isTree(of)) {
        const std::optional<Argument> found = itemAt(of, key);
        if (!found)
            return refuseCall(node, "accesses an item that " + from().node(node.args[0].asNode()).name.str() + " does not have");
        m_standIns[call.index()] = *found;
        return {};
    }
    const std::optional<Argument> val = of.is(ArgumentKind::node) ? m_graph.node(of.asNode()).meta.val : std::nullopt;
    if (!val || !isTree(*val) || val->is(ArgumentKind::dict))
        return refuseCall(node,
                          "indexes a value that is not a tuple or list of results; trace with make_fx to turn this into "
                          "an ATen select or slice");
    if (!key.is(ArgumentKind::integer))
        return refuseCall(node, "accesses an item with a key that is not an integer");
    Result<Argument> taken = item(of.asNode(), key.asInteger(), node.name, &node.meta);
    if (!taken)
        return refuseCall(node, taken.error().message);
    m_standIns[call.index()] = std::move(*taken);
    return {};
}

/// Creates at most one getitem per item; later uses share it.
Result<Argument> ExportedCalls::item(NodeId of, std::int64_t number, InternedString name, const NodeMeta* meta)
{
    const Argument val = *m_graph.node(of).meta.val;
    const std::optional<Argument> itemVal = itemAt(val, Argument::integer(number));
    if (!itemVal)
        return fail(ErrorCode::refused, "accesses item " + std::to_string(number) + " of " + std::to_string(val.items().size()));
    const std::int64_t place = number < 0 ? number + static_cast<std::int64_t>(val.items().size()) : number;
    const auto [found, isNew] = m_items.try_emplace({of, place});
    if (isNew) {
        NodeSpec spec = getitemSpec(of, static_cast<std::size_t>(place));
        spec.name = name.empty() ? m_names.create("getitem") : name;
        if (meta != nullptr)
            spec.meta = *meta;
        spec.meta.val = plainValue(*itemVal);
        found->second = m_graph.append(std::move(spec));
    }
    return Argument::node(found->second);
}

/// Expands a node with several values to the tree of its items.
Result<Argument> ExportedCalls::taken(const Argument& value)
{
    if (!value.is(ArgumentKind::node)) // a tree of an input has nodes with single values as leaves
        return value;
    const NodeId id = value.asNode();
    const std::optional<Argument> val = m_graph.node(id).meta.val;
    if (m_graph.node(id).op == Op::getAttr || !val || !isTree(*val))
        return value;
    if (val->is(ArgumentKind::dict) || val->items().size() > kMaxItems)
        return fail(ErrorCode::refused,
                    "uses " + m_graph.node(id).name.str() + ", which is a dict or has more than 10,000 items");
    Arguments items;
    for (std::size_t i = 0; i < val->items().size(); ++i) {
        const Result<Argument> one = item(id, static_cast<std::int64_t>(i), {}, nullptr);
        Result<Argument> whole = one ? taken(*one) : one;
        if (!whole)
            return whole;
        items.push_back(std::move(*whole));
    }
    return val->withItems(std::move(items));
}

Result<Argument> ExportedCalls::translate(const Argument& value)
{
    std::optional<Error> error;
    Argument made = mapNodes(value, [&](NodeId id) {
        Result<Argument> whole = taken(m_standIns[id.index()]);
        if (!whole && !error)
            error = whole.error();
        return whole.value_or(Argument());
    });
    if (error)
        return tl::unexpected<Error>(std::move(*error));
    return made;
}

} // namespace sunder
