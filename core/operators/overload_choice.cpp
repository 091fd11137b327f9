#include "operators/overload_choice.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sunder {
namespace {

/// Returns the value of an argument: a constant itself, or the `val` of a node.
const Argument* valueIn(const Graph& graph, const Argument& argument)
{
    if (!argument.is(ArgumentKind::node))
        return &argument;
    const std::optional<Argument>& val = graph.node(argument.asNode()).meta.val;
    return val ? &*val : nullptr;
}

bool isSymbol(const Argument& value, SymbolKind kind)
{
    return value.is(ArgumentKind::symbolic) && value.asSymbolic().kind == kind;
}

bool isAnyInteger(const Argument& value)
{
    return value.is(ArgumentKind::integer) || value.is(ArgumentKind::bigInteger);
}

/// Whether a value can be passed for an argument of a non-list type.
bool isOfType(std::string_view type, const Argument& value, bool isNode)
{
    if (type == "Tensor")
        return value.is(ArgumentKind::tensor);
    if (type == "int")
        return isAnyInteger(value) && !isNode;
    if (type == "SymInt")
        return isAnyInteger(value) || isSymbol(value, SymbolKind::integer);
    if (type == "float")
        return value.is(ArgumentKind::floating) || isAnyInteger(value) || isSymbol(value, SymbolKind::floating);
    if (type == "Scalar")
        return isAnyInteger(value) || value.is(ArgumentKind::floating) || value.is(ArgumentKind::boolean)
            || value.is(ArgumentKind::complex) || value.is(ArgumentKind::symbolic);
    if (type == "bool")
        return value.is(ArgumentKind::boolean) && !isNode;
    if (type == "str")
        return value.is(ArgumentKind::string);
    if (type == "ScalarType")
        return value.is(ArgumentKind::dtype);
    if (type == "Device")
        return value.is(ArgumentKind::device);
    if (type == "Layout")
        return value.is(ArgumentKind::layout);
    return type == "MemoryFormat" && value.is(ArgumentKind::memoryFormat);
}

/// Returns the value passed for an argument of this type; nothing if its kind does not match.
std::optional<Argument> given(std::string_view type, const Argument& argument, const Graph& graph)
{
    if (type.ends_with('?')) {
        if (argument.isNone())
            return argument;
        type.remove_suffix(1);
    }
    const Argument* value = valueIn(graph, argument);
    if (value == nullptr)
        return std::nullopt;
    const std::optional<ListType> list = listType(type);
    if (!list)
        return isOfType(type, *value, argument.is(ArgumentKind::node)) ? std::optional(argument) : std::nullopt;
    if (argument.is(ArgumentKind::list) || argument.is(ArgumentKind::tuple)) {
        const bool fits = std::ranges::all_of(argument.items(),
                                              [&](const Argument& item) { return given(list->item, item, graph).has_value(); });
        return fits ? std::optional(Argument::list(Arguments(argument.items().begin(), argument.items().end()))) : std::nullopt;
    }
    const bool repeats = list->repeats() && list->item != "Tensor" && list->item != "bool";
    if (!repeats || !given(list->item, argument, graph))
        return std::nullopt;
    return Argument::list(Arguments(static_cast<std::size_t>(*list->length), argument));
}

/// The arguments by their index in the schema.
using Places = std::vector<std::optional<Argument>>;

/// Collects surplus positional arguments in a list for the last parameter: `x.view(2, 3)`, and `x.view(6)` as well.
Arguments withListOfRest(const OperatorSchema& schema, const Arguments& args)
{
    const std::size_t count = schema.positionalCount();
    if (count == 0 || args.size() < count)
        return args;
    const std::optional<ListType> last = listType(schema.arguments[count - 1].type.view());
    const Argument& first = args[count - 1];
    if (!last || last->length || first.isCompound() || first.isNone())
        return args;
    Arguments folded(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(count - 1));
    folded.push_back(Argument::list(Arguments(args.begin() + static_cast<std::ptrdiff_t>(count - 1), args.end())));
    return folded;
}

std::optional<Places> place(const OperatorSchema& schema, const Arguments& args, const Keywords& kwargs, const Graph& graph)
{
    if (schema.takesMore)
        return std::nullopt;
    Places places(schema.arguments.size());
    const auto put = [&](std::size_t at, const Argument& value) {
        if (places[at])
            return false;
        places[at] = given(schema.arguments[at].type.view(), value, graph);
        return places[at].has_value();
    };
    const Arguments positional = withListOfRest(schema, args);
    if (positional.size() > schema.positionalCount())
        return std::nullopt;
    for (std::size_t i = 0; i < positional.size(); ++i)
        if (!put(i, positional[i]))
            return std::nullopt;
    static const InternedString kInput = intern("input");
    static const InternedString kSelf = intern("self");
    for (const Keyword& keyword : kwargs) {
        std::optional<std::size_t> at = schema.find(keyword.key);
        if (!at && keyword.key == kInput) // Python functions call the first argument `input`
            at = schema.find(kSelf);
        if (!at || !put(*at, keyword.value))
            return std::nullopt;
    }
    for (std::size_t i = 0; i < places.size(); ++i)
        if (!places[i] && !schema.arguments[i].hasDefault)
            return std::nullopt;
    return places;
}

ChosenCall callOf(const OperatorSchema& schema, Places places)
{
    const std::string packet = schema.packet.str();
    const std::size_t colon = packet.find("::");
    const std::string overload = schema.overload.empty() ? "default" : schema.overload.str();
    ChosenCall call{.target = intern("torch.ops." + packet.substr(0, colon) + "." + packet.substr(colon + 2) + "." + overload)};
    bool isGap = false;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i])
            isGap = true;
        else if (isGap || schema.arguments[i].keywordOnly)
            call.kwargs.push_back({schema.arguments[i].name, std::move(*places[i])});
        else
            call.args.push_back(std::move(*places[i]));
    }
    return call;
}

} // namespace

std::optional<ChosenCall> chooseOverload(std::span<const OperatorOverload> overloads, const Arguments& args,
                                         const Keywords& kwargs, const Graph& graph)
{
    std::vector<ChosenCall> fitting;
    std::optional<ChosenCall> unnamed;
    for (const OperatorOverload& overload : overloads) {
        std::optional<Places> places = place(overload.schema, args, kwargs, graph);
        if (!places)
            continue;
        fitting.push_back(callOf(overload.schema, std::move(*places)));
        if (overload.schema.overload.empty())
            unnamed = fitting.back();
    }
    return fitting.size() == 1 ? std::move(fitting.front()) : unnamed;
}

} // namespace sunder
