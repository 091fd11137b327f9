#include "operators/exact_call.h"

#include "operators/literal_text.h"
#include "operators/operator_library.h"
#include "operators/operator_table.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sunder {
namespace {

std::vector<ExactCallLine> parseLines(std::string_view text)
{
    std::vector<ExactCallLine> lines;
    for (const std::string_view line : piecesOf(text, '\n')) {
        const std::vector<std::string_view> fields = piecesOf(line, '\t');
        if (line.starts_with('#') || fields.size() < 2)
            continue;
        const std::size_t open = fields[1].find('(');
        lines.push_back({.target = fields[0],
                         .packet = fields[1].substr(0, open),
                         .arguments = piecesOf(fields[1].substr(open + 1, fields[1].size() - open - 2), ','),
                         .conditions = piecesOf(fields.size() > 2 ? fields[2] : std::string_view(), ' ')});
    }
    return lines;
}

/// The arguments of a call of a Python function by parameter name, including defaults.
class PythonArguments {
public:
    PythonArguments(const OperatorSchema& schema, const Arguments& args, const Keywords& kwargs)
        : m_schema(schema), m_given(schema.arguments.size()), m_fits(args.size() <= schema.positionalCount())
    {
        for (std::size_t i = 0; m_fits && i < args.size(); ++i)
            m_given[i] = args[i];
        for (const Keyword& keyword : kwargs) {
            const std::optional<std::size_t> at = schema.find(keyword.key);
            m_fits = m_fits && at && !m_given[*at];
            if (m_fits)
                m_given[*at] = keyword.value;
        }
    }

    [[nodiscard]] bool fits() const { return m_fits; }

    /// Returns the value of a parameter or literal; nothing if a required argument is missing or the default is not stated.
    [[nodiscard]] std::optional<Argument> valueOf(std::string_view word) const
    {
        const std::optional<std::size_t> at = m_schema.find(intern(word));
        if (!at)
            return literalOf(word);
        if (m_given[*at])
            return m_given[*at];
        return m_schema.arguments[*at].hasDefault ? literalOf(m_schema.arguments[*at].defaultValue.view()) : std::nullopt;
    }

    [[nodiscard]] bool holds(std::string_view condition) const
    {
        const bool isNot = condition.find("!=") != std::string_view::npos;
        const std::size_t at = condition.find(isNot ? '!' : '=');
        const std::optional<Argument> value = valueOf(condition.substr(0, at));
        const std::optional<Argument> wanted = literalOf(condition.substr(at + (isNot ? 2 : 1)));
        return value && wanted && (*value == *wanted) != isNot;
    }

private:
    const OperatorSchema& m_schema;
    std::vector<std::optional<Argument>> m_given; ///< by parameter
    bool m_fits;
};

std::string pythonNameOf(const Node& node)
{
    return node.op == Op::callMethod ? "Tensor." + node.target.str() : node.target.str();
}

/// Returns the call that a line of the table maps a Python function to; nothing if its conditions do not hold.
std::optional<ChosenCall> callOfLine(OperatorCatalog& operators, const Graph& graph, const ExactCallLine& line,
                                     const PythonArguments& given)
{
    if (!given.fits() || !std::ranges::all_of(line.conditions, [&](std::string_view word) { return given.holds(word); }))
        return std::nullopt;
    Arguments args;
    for (const std::string_view word : line.arguments) {
        std::optional<Argument> value = given.valueOf(word);
        if (!value)
            return std::nullopt;
        args.push_back(std::move(*value));
    }
    const std::string packet(line.packet);
    const InternedString target = intern("torch.ops.aten." + packet.substr(packet.find("::") + 2));
    return chooseOverload(operators.of(Op::callFunction, target).overloads, args, {}, graph);
}

/// Whether a function or method is a plain binding of the ATen operator of the same name.
bool isBound(const std::string& name, const OperatorFacts& facts)
{
    return !factsByHand(name) && !facts.overloads.empty()
        && std::ranges::all_of(facts.overloads, [](const OperatorOverload& overload) {
               return overload.schema.packet.view().starts_with("aten::") && !overload.anyArguments;
           });
}

/// Whether a call of a loss omits `reduction`. Python bindings of ATen losses then do not reduce, but the operators do.
bool leavesReductionOut(OperatorCatalog& operators, const ChosenCall& call)
{
    static const InternedString kReduction = intern("reduction");
    const OperatorSchema* const schema = operators.of(Op::callFunction, call.target).schema();
    const std::optional<std::size_t> at = schema != nullptr ? schema->find(kReduction) : std::nullopt;
    return at && *at >= call.args.size() && std::ranges::find(call.kwargs, kReduction, &Keyword::key) == call.kwargs.end();
}

tl::unexpected<Error> isUncertain(const std::string& name)
{
    return fail(ErrorCode::refused, "calls " + name + ", but its arguments do not determine a single ATen operator");
}

} // namespace

const Argument* valueIn(const Graph& graph, const Argument& argument)
{
    if (!argument.is(ArgumentKind::node))
        return &argument;
    const std::optional<Argument>& val = graph.node(argument.asNode()).meta.val;
    return val ? &*val : nullptr;
}

const std::vector<ExactCallLine>& exactCallLines()
{
    static const std::vector<ExactCallLine> lines = parseLines(operator_data::exactCalls);
    return lines;
}

Result<ChosenCall> exactCall(OperatorCatalog& operators, const Graph& graph, const Node& node, const Arguments& args,
                             const Keywords& kwargs)
{
    const OperatorFacts& facts = operators.of(node.op, node.target);
    const std::string name = pythonNameOf(node);
    if (node.op == Op::callFunction && isRegisteredOperator(node.target.view())) {
        if (facts.overloads.empty())
            return fail(
                ErrorCode::refused,
                "calls " + name
                    + ", an operator without a schema; give its schema, as registered with torch.library, with --operators");
        if (!operatorName(node.target.view()).overload.empty())
            return ChosenCall{.target = node.target, .args = args, .kwargs = kwargs};
        if (std::optional<ChosenCall> chosen = chooseOverload(facts.overloads, args, kwargs, graph))
            return std::move(*chosen);
        return isUncertain(name);
    }
    bool isListed = false;
    const auto [first, last] = std::ranges::equal_range(exactCallLines(), std::string_view(name), {}, &ExactCallLine::target);
    for (const ExactCallLine& line : std::ranges::subrange(first, last)) {
        isListed = true;
        const PythonArguments given(facts.overloads.front().schema, args, kwargs);
        if (std::optional<ChosenCall> call = callOfLine(operators, graph, line, given))
            return std::move(*call);
    }
    if (!isListed && !isBound(name, facts))
        return fail(ErrorCode::refused, "calls " + name + ", which is not known to correspond to a single ATen operator");
    if (!isListed)
        if (std::optional<ChosenCall> chosen = chooseOverload(facts.overloads, args, kwargs, graph);
            chosen && !leavesReductionOut(operators, *chosen))
            return std::move(*chosen);
    return isUncertain(name);
}

namespace {

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
