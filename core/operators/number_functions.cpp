#include "operators/number_functions.h"

#include "operators/literal_text.h"
#include "operators/operator_library.h"
#include "operators/operator_table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace sunder {
namespace {

double numberOf(std::string_view text)
{
    const std::optional<Argument> number = literalOf(text);
    return number && number->is(ArgumentKind::integer) ? static_cast<double>(number->asInteger()) : 0.0;
}

std::vector<NumberFunction> parseFunctions(std::string_view text)
{
    std::vector<NumberFunction> functions;
    for (const std::string_view line : piecesOf(text, '\n')) {
        const std::vector<std::string_view> fields = piecesOf(line, '\t');
        if (line.starts_with('#') || fields.size() < 2)
            continue;
        NumberFunction function{.names = piecesOf(fields[0], ' '), .operands = static_cast<std::size_t>(numberOf(fields[1]))};
        for (const std::string_view word : piecesOf(fields.size() > 2 ? fields[2] : std::string_view(), ' ')) {
            if (word.starts_with("like="))
                function.like = piecesOf(word.substr(5), ',');
            else if (word == "total")
                function.isTotal = true;
            else if (word.starts_with("at="))
                std::ranges::transform(piecesOf(word.substr(3), ','), std::back_inserter(function.neutral), numberOf);
        }
        functions.push_back(std::move(function));
    }
    return functions;
}

using Named = std::pair<std::string_view, const NumberFunction*>;

std::vector<Named> functionsByName()
{
    std::vector<Named> named;
    for (const NumberFunction& function : numberFunctions())
        for (const std::string_view name : function.names)
            named.emplace_back(name, &function);
    std::ranges::sort(named, {}, &Named::first);
    return named;
}

std::size_t operandPlace(std::string_view text)
{
    const std::optional<Argument> number = literalOf(text);
    return number && number->is(ArgumentKind::integer) ? static_cast<std::size_t>(number->asInteger()) : 0;
}

/// Returns the rest of a word after the prefix `begin`.
std::optional<std::string_view> wordAfter(std::string_view word, std::string_view begin)
{
    return word.starts_with(begin) ? std::optional(word.substr(begin.size())) : std::nullopt;
}

void takeWord(std::string_view word, RoundingPromise& promise)
{
    static constexpr std::pair<std::string_view, bool RoundingPromise::*> kWords[] = {
        {"rounds", &RoundingPromise::rounds},
        {"continuous", &RoundingPromise::continuous},
        {"dense", &RoundingPromise::dense},
        {"rest-fixed", &RoundingPromise::isRestFixed},
        {"first-fixed", &RoundingPromise::isFirstFixed},
        {"constants", &RoundingPromise::needsConstants},
        {"no-dtype", &RoundingPromise::needsNoDtype},
    };
    for (const auto& [text, member] : kWords)
        if (word == text)
            promise.*member = true;
    if (const auto count = wordAfter(word, "most="))
        promise.mostOperands = operandPlace(*count);
    if (const auto count = wordAfter(word, "least="))
        promise.leastOperands = operandPlace(*count);
    if (const auto place = wordAfter(word, "off="))
        promise.offPlace = operandPlace(*place);
    if (const auto place = wordAfter(word, "whole="))
        promise.wholePlace = operandPlace(*place);
    if (const auto name = wordAfter(word, "without="))
        promise.without = *name;
    if (const auto operand = wordAfter(word, "positive=")) {
        const std::size_t at = operand->find('@');
        promise.positive = {operand->substr(0, at), operandPlace(operand->substr(at + 1))};
    }
}

std::vector<RoundingPromise> parsePromises(std::string_view text)
{
    std::vector<RoundingPromise> promises;
    for (const std::string_view line : piecesOf(text, '\n')) {
        const std::vector<std::string_view> fields = piecesOf(line, '\t');
        if (line.starts_with('#') || fields.size() < 2)
            continue;
        RoundingPromise promise{.names = piecesOf(fields[0], ' ')};
        for (std::size_t i = 1; i < fields.size(); ++i)
            for (const std::string_view word : piecesOf(fields[i], ' '))
                takeWord(word, promise);
        promises.push_back(std::move(promise));
    }
    return promises;
}

using NamedPromise = std::pair<std::string_view, const RoundingPromise*>;

std::vector<NamedPromise> promisesByName()
{
    std::vector<NamedPromise> named;
    for (const RoundingPromise& promise : roundingPromises())
        for (const std::string_view name : promise.names)
            named.emplace_back(name, &promise);
    std::ranges::stable_sort(named, {}, &NamedPromise::first);
    return named;
}

} // namespace

bool NumberFunction::isLike(std::string_view what) const
{
    return std::ranges::find(like, what) != like.end();
}

bool NumberFunction::isNeutral(double number) const
{
    return std::ranges::find(neutral, number) != neutral.end();
}

const std::vector<NumberFunction>& numberFunctions()
{
    static const std::vector<NumberFunction> functions = parseFunctions(operator_data::numberFunctions);
    return functions;
}

std::string_view nameOfTorch(std::string_view target)
{
    static constexpr std::array<std::string_view, 9> kLibraries{
        "",         "torch",        "torch.ops.aten", "torch.nn.functional", "_operator",
        "operator", "torch.Tensor", "torch._C._nn",   "torch.functional"};
    const OperatorName parts = operatorName(target);
    std::string_view name = parts.name;
    if (std::ranges::find(kLibraries, parts.library) == kLibraries.end() && !parts.library.starts_with("torch.nn.modules."))
        return {};
    if (name.starts_with("__") && name.ends_with("__") && name.size() > 4)
        name = name.substr(2, name.size() - 4);
    else if (name.ends_with('_'))
        name.remove_suffix(1);
    return name;
}

const NumberFunction* numberFunctionOf(std::string_view target)
{
    static const std::vector<Named> named = functionsByName();
    const std::string_view name = nameOfTorch(target);
    const auto found = std::ranges::lower_bound(named, name, {}, &Named::first);
    return found != named.end() && found->first == name ? found->second : nullptr;
}

bool areDistinguishable(const NumberFunction& a, const NumberFunction& b)
{
    return &a != &b && a.operands != 0 && a.operands == b.operands
        && std::ranges::none_of(a.like, [&](std::string_view what) { return b.isLike(what); });
}

const std::vector<RoundingPromise>& roundingPromises()
{
    static const std::vector<RoundingPromise> promises = parsePromises(operator_data::rounding);
    return promises;
}

std::vector<const RoundingPromise*> roundingPromisesOf(std::string_view target)
{
    static const std::vector<NamedPromise> named = promisesByName();
    std::vector<const RoundingPromise*> found;
    if (const std::string_view name = nameOfTorch(target); !name.empty())
        for (const NamedPromise& one : std::ranges::equal_range(named, name, {}, &NamedPromise::first))
            found.push_back(one.second);
    return found;
}

} // namespace sunder
