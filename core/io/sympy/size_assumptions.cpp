#include "io/sympy/size_assumptions.h"

#include "analysis/free_symbols.h"
#include "io/sympy/sympy_infix.h"
#include "io/sympy/sympy_range.h"
#include "ir/tensor_meta.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <unordered_map>

namespace sunder {
namespace {

using SymbolValues = std::unordered_map<InternedString, std::int64_t>;

/// Calls `visit` with every symbolic number in a value, at any depth.
template <typename Visit>
void forEachSymbolic(const Argument& value, const Visit& visit)
{
    if (value.is(ArgumentKind::symbolic)) {
        visit(value.asSymbolic());
    } else if (value.is(ArgumentKind::tensor)) {
        const TensorMeta& tensor = value.asTensor();
        for (const Argument& size : tensor.shape)
            forEachSymbolic(size, visit);
        if (tensor.stride)
            for (const Argument& stride : *tensor.stride)
                forEachSymbolic(stride, visit);
        if (tensor.offset)
            forEachSymbolic(*tensor.offset, visit);
    }
    for (const Argument& item : value.items())
        forEachSymbolic(item, visit);
}

/// Evaluates an expression for given symbol values. Nothing if a value is missing or the result is not a whole number.
class ExpressionValue {
public:
    explicit ExpressionValue(const SymbolValues& values) : m_values(values) {}

    [[nodiscard]] std::optional<std::int64_t> of(const SympyExpression& expression) const
    {
        if (!expression.is(SympyExpression::Kind::call))
            return exactly(expression);
        SympyExpression call = expression;
        for (SympyExpression& argument : call.arguments)
            if (const std::optional<std::int64_t> value = of(argument))
                argument = {.kind = SympyExpression::Kind::integer, .text = std::to_string(*value)};
        if ((call.text == "Mod" || call.text == "PythonMod") && call.arguments.size() == 2)
            return remainder(exactly(call.arguments[0]), exactly(call.arguments[1]));
        if (call.text == "ModularIndexing" && call.arguments.size() == 3)
            return remainder(exactly(sympyCall("FloorDiv", {call.arguments[0], call.arguments[1]})), exactly(call.arguments[2]));
        return exactly(call);
    }

private:
    [[nodiscard]] std::optional<std::int64_t> exactly(const SympyExpression& expression) const
    {
        const SympyRange range = rangeOf(expression, [this](std::string_view symbol) {
            const auto found = m_values.find(intern(symbol));
            return found == m_values.end() ? SympyRange() : SympyRange{found->second, found->second};
        });
        return range.min && range.min == range.max ? range.min : std::nullopt;
    }

    /// Remainder with the sign of the divisor, as Python's %.
    static std::optional<std::int64_t> remainder(std::optional<std::int64_t> a, std::optional<std::int64_t> b)
    {
        if (!a || !b || *b <= 0)
            return std::nullopt;
        return ((*a % *b) + *b) % *b;
    }

    const SymbolValues& m_values;
};

/// Computes new hints for the expressions that depend on changed symbols. Evaluates each expression once.
class OtherHints {
public:
    using Hint = decltype(SymbolicValue::hint);

    OtherHints(const SymbolValues& values, std::span<const AssumedSize> changed, std::shared_ptr<const FileHints> file)
        : m_values(values), m_value(values), m_changed(changed), m_file(file ? *file : FileHints())
    {
    }

    /// Returns nothing if the hint is unchanged.
    std::optional<Hint> of(const Argument& argument)
    {
        const SymbolicValue& value = argument.asSymbolic();
        const auto [at, isNew] = m_known.try_emplace(value.expression);
        if (isNew)
            at->second = workedOut(argument, value);
        return at->second;
    }

    /// Returns the hints of the file for all expressions with changed hints.
    [[nodiscard]] FileHints takeFile() { return std::move(m_file); }

private:
    std::optional<Hint> workedOut(const Argument& argument, const SymbolicValue& value)
    {
        const std::vector<InternedString> symbols = freeSymbols(argument);
        const bool depends = std::ranges::any_of(
            m_changed, [&](const AssumedSize& size) { return std::ranges::find(symbols, size.first) != symbols.end(); });
        if (!depends)
            return std::nullopt;
        const Hint file = m_file.try_emplace(value.expression, value.hint).first->second;
        if (std::ranges::all_of(symbols, [this](InternedString symbol) { return isAsInFile(symbol); }))
            return file;
        const std::optional<SympyExpression> parsed = parseInfix(value.expression.view());
        const std::optional<std::int64_t> number = parsed && value.kind == SymbolKind::integer ? m_value.of(*parsed)
                                                                                               : std::nullopt;
        return number ? Hint(*number) : Hint();
    }

    /// A changed symbol without a stored file hint never had another value before, so it now differs from the file.
    [[nodiscard]] bool isAsInFile(InternedString symbol) const
    {
        const bool isChanged = std::ranges::find(m_changed, symbol, &AssumedSize::first) != m_changed.end();
        const auto file = m_file.find(symbol);
        const auto now = m_values.find(symbol);
        if (file == m_file.end())
            return !isChanged;
        return now != m_values.end() && file->second == Hint(now->second);
    }

    const SymbolValues& m_values;
    ExpressionValue m_value;
    std::span<const AssumedSize> m_changed;
    FileHints m_file;
    std::unordered_map<InternedString, std::optional<Hint>> m_known;
};

/// Replaces hints in arguments. `hintOf` returns the new hint of a symbolic number, or nothing if it is unchanged.
template <typename HintOf>
class Rehinting {
public:
    explicit Rehinting(HintOf hintOf) : m_hintOf(std::move(hintOf)) {}

    /// Returns the value with new hints, or nothing if none changes.
    std::optional<Argument> of(const Argument& value)
    {
        if (value.is(ArgumentKind::symbolic))
            return ofSymbolic(value);
        if (value.is(ArgumentKind::tensor))
            return ofTensor(value);
        if (!value.isCompound())
            return std::nullopt;
        std::optional<Arguments> items = ofItems(value.items());
        return items ? std::optional(value.withItems(std::move(*items))) : std::nullopt;
    }

    template <typename Items>
    std::optional<Arguments> ofItems(const Items& items)
    {
        Arguments others;
        bool isOther = false;
        for (const Argument& item : items) {
            std::optional<Argument> other = of(item);
            isOther = isOther || other.has_value();
            others.push_back(other ? std::move(*other) : item);
        }
        return isOther ? std::optional(std::move(others)) : std::nullopt;
    }

private:
    std::optional<Argument> ofSymbolic(const Argument& argument)
    {
        const auto hint = m_hintOf(argument);
        if (!hint)
            return std::nullopt;
        SymbolicValue value = argument.asSymbolic();
        value.hint = *hint;
        return Argument::symbolic(value).withExtra(argument.extra());
    }

    std::optional<Argument> ofTensor(const Argument& argument)
    {
        TensorMeta tensor = argument.asTensor();
        std::optional<Arguments> shape = ofItems(tensor.shape);
        std::optional<Arguments> stride = tensor.stride ? ofItems(*tensor.stride) : std::nullopt;
        std::optional<Argument> offset = tensor.offset ? of(*tensor.offset) : std::nullopt;
        if (!shape && !stride && !offset)
            return std::nullopt;
        if (shape)
            tensor.shape = std::move(*shape);
        if (stride)
            tensor.stride = std::move(*stride);
        if (offset)
            tensor.offset = std::move(*offset);
        return Argument::tensor(std::move(tensor)).withExtra(argument.extra());
    }

    HintOf m_hintOf;
};

template <typename HintOf>
void rehint(Program& program, HintOf hintOf)
{
    Rehinting<HintOf> hints(std::move(hintOf));
    for (Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes()) {
            if (graph[id].meta.val)
                if (std::optional<Argument> val = hints.of(*graph[id].meta.val))
                    graph.meta(id).val = std::move(val);
            std::optional<Arguments> args = hints.ofItems(graph[id].args);
            Keywords kwargs;
            bool isOther = args.has_value();
            for (const Keyword& keyword : graph[id].kwargs) {
                const std::optional<Argument> other = hints.of(keyword.value);
                isOther = isOther || other.has_value();
                kwargs.push_back({keyword.key, other ? *other : keyword.value});
            }
            if (isOther)
                graph.rewriteConstants(id, args ? std::move(*args) : graph[id].args, std::move(kwargs));
        }
}

std::string rangeText(const SizeAssumption& of)
{
    return (of.min ? std::to_string(*of.min) : "0") + " to " + (of.max ? std::to_string(*of.max) : "any");
}

Result<void> checkAssumed(const std::vector<SizeAssumption>& there, const AssumedSize& wanted)
{
    const auto found = std::ranges::find(there, wanted.first, &SizeAssumption::symbol);
    if (found == there.end()) {
        std::string names;
        for (const SizeAssumption& each : there)
            names += (names.empty() ? "" : ", ") + describe(each);
        return fail(ErrorCode::refused,
                    "no size depends on " + wanted.first.str()
                        + (names.empty() ? ": all sizes of this model are numbers" : "; choose one of: " + names));
    }
    if (const std::int64_t nearest = nearestAllowed(*found, wanted.second); nearest != wanted.second)
        return fail(ErrorCode::refused,
                    describe(std::array{wanted}) + " is outside the allowed range of " + describe(*found) + ": "
                        + rangeText(*found) + "; the nearest allowed value is "
                        + describe(std::array{AssumedSize(wanted.first, nearest)}));
    return {};
}

} // namespace

std::vector<SizeAssumption> sizeAssumptions(const Program& program)
{
    std::map<std::string, SizeAssumption, std::less<>> found;
    const auto note = [&](const Argument& value) {
        for (const InternedString symbol : freeSymbols(value))
            found.try_emplace(symbol.str(), SizeAssumption{.symbol = symbol});
        forEachSymbolic(value, [&](const SymbolicValue& number) {
            if (const auto at = found.find(number.expression.view()); at != found.end() && !at->second.value)
                at->second.value = number.integerHint();
        });
    };
    for (const Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes())
            if (graph[id].meta.val)
                note(*graph[id].meta.val);
    for (const NodeId id : program.rootGraph().nodes()) {
        const Node& node = program.rootGraph()[id];
        if (node.op != Op::placeholder || !node.meta.val)
            continue;
        if (const auto at = found.find(symbolOf(*node.meta.val).view()); at != found.end() && at->second.input.empty()) {
            at->second.input = node.name;
            at->second.isInput = true;
        }
        if (!node.meta.val->is(ArgumentKind::tensor))
            continue;
        const Arguments& shape = node.meta.val->asTensor().shape;
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (const auto at = found.find(symbolOf(shape[i]).view()); at != found.end() && at->second.input.empty()) {
                at->second.input = node.name;
                at->second.dimension = i;
            }
    }
    std::vector<SizeAssumption> assumptions;
    for (auto& [name, assumption] : found) {
        for (const SymbolRange& range : program.ranges)
            if (range.symbol == assumption.symbol) {
                assumption.min = range.min;
                assumption.max = range.max;
            }
        assumptions.push_back(assumption);
    }
    return assumptions;
}

std::string describe(const SizeAssumption& assumption)
{
    if (assumption.input.empty())
        return assumption.symbol.str();
    const std::string dimension = assumption.isInput ? "" : ", dimension " + std::to_string(assumption.dimension);
    return assumption.symbol.str() + " (" + assumption.input.str() + dimension + ")";
}

std::int64_t nearestAllowed(const SizeAssumption& assumption, std::int64_t wanted)
{
    const std::int64_t least = std::max<std::int64_t>(assumption.min.value_or(0), 0);
    const std::int64_t most = assumption.max.value_or(std::numeric_limits<std::int64_t>::max());
    return std::clamp(wanted, least, std::max(least, most));
}

std::string describe(std::span<const AssumedSize> sizes)
{
    std::string text;
    for (const auto& [symbol, value] : sizes)
        text += (text.empty() ? "" : ", ") + symbol.str() + " = " + std::to_string(value);
    return text;
}

std::vector<AssumedSize> assumedSizes(std::span<const SizeAssumption> assumptions)
{
    std::vector<AssumedSize> sizes;
    for (const SizeAssumption& each : assumptions)
        if (each.value)
            sizes.emplace_back(each.symbol, *each.value);
    return sizes;
}

bool hasRecordedSizes(const Program& program)
{
    const Graph& graph = program.rootGraph();
    const auto nodes = graph.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&graph](NodeId id) { return graph[id].sizeBytes.has_value(); });
}

Result<std::vector<AssumedSize>> parseAssumedSizes(std::string_view text)
{
    std::vector<AssumedSize> sizes;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        const std::size_t equals = part.find('=');
        std::int64_t value = 0;
        const char* last = part.data() + part.size();
        const bool isNumber = equals != std::string_view::npos && equals > 0
            && std::from_chars(part.data() + equals + 1, last, value).ptr == last && equals + 1 < part.size();
        if (!isNumber)
            return fail(ErrorCode::usage, "sizes must be given as s27=16,s3=4, not \"" + std::string(text) + "\"");
        const InternedString symbol = intern(part.substr(0, equals));
        if (std::ranges::find(sizes, symbol, &AssumedSize::first) != sizes.end())
            return fail(ErrorCode::usage, symbol.str() + " is given twice");
        sizes.emplace_back(symbol, value);
        begin = end + 1;
    }
    return sizes;
}

Result<void> assumeSizes(Program& program, std::span<const AssumedSize> sizes)
{
    if (sizes.empty())
        return {};
    const std::vector<SizeAssumption> there = sizeAssumptions(program);
    SymbolValues values;
    for (const SizeAssumption& each : there)
        if (each.value)
            values[each.symbol] = *each.value;
    for (const AssumedSize& wanted : sizes) {
        SUNDER_PROPAGATE(checkAssumed(there, wanted));
        values[wanted.first] = wanted.second;
    }
    // Process the symbols first, because their file hints determine whether expressions get theirs back.
    OtherHints hints(values, sizes, program.fileHints);
    for (const AssumedSize& size : sizes)
        if (const auto at = std::ranges::find(there, size.first, &SizeAssumption::symbol); at->value)
            (void)hints.of(Argument::symbolic({.expression = size.first, .hint = *at->value}));
    rehint(program, [&hints](const Argument& argument) { return hints.of(argument); });
    program.fileHints = std::make_shared<const FileHints>(hints.takeFile());
    return {};
}

void takeFileSizes(Program& program)
{
    if (!program.fileHints)
        return;
    using Hint = decltype(SymbolicValue::hint);
    rehint(program, [&file = *program.fileHints](const Argument& argument) -> std::optional<Hint> {
        const auto found = file.find(argument.asSymbolic().expression);
        return found == file.end() || found->second == argument.asSymbolic().hint ? std::nullopt
                                                                                  : std::optional<Hint>(found->second);
    });
    program.fileHints = nullptr;
}

} // namespace sunder
