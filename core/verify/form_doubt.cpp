#include "verify/form_doubt.h"

#include "operators/operator_target.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace sunder {
namespace {

/// "add" for aten.add.Tensor, torch.add, a method add, _operator.add; without the underscores of __add__.
std::string_view plainName(const TermTable& terms, TermId call)
{
    const Term& target = terms[terms.children(call)[0]];
    if (target.kind != TermKind::constant)
        return {};
    std::string_view name = operatorName(terms.textOf(terms.children(call)[0]).view()).name;
    while (name.starts_with('_'))
        name.remove_prefix(1);
    while (name.ends_with('_'))
        name.remove_suffix(1);
    return name;
}

/// Operators that can give their argument, or a copy of it, or the same numbers in another shape.
bool handsOn(const TermTable& terms, TermId term)
{
    static constexpr std::array<std::string_view, 39> kNames{
        "clone",      "copy",       "to_copy", "contiguous", "alias",     "detach",    "positive",
        "pos",        "lift_fresh", "getitem", "dropout1d",  "dropout2d", "dropout3d", "convert_element_type",
        "device_put", "to",         "type_as", "type",       "float",     "half",      "double",
        "bfloat16",   "int",        "long",    "bool",       "cpu",       "view",      "view_as",
        "reshape",    "reshape_as", "flatten", "unflatten",  "expand",    "expand_as", "broadcast_to",
        "squeeze",    "unsqueeze",  "select",  "slice"};
    if (terms[term].kind != TermKind::call)
        return false;
    const std::string_view name = plainName(terms, term);
    return std::ranges::find(kNames, name) != kNames.end() || name.ends_with("dropout");
}

bool isKind(const TermTable& terms, TermId id, ArgumentKind kind)
{
    return terms[id].kind == TermKind::constant && terms[id].detail == static_cast<std::uint8_t>(kind);
}

/// Numbers that differ, but count from the two ends of a dimension, or reach to its end and beyond.
bool mayBeOnePlace(const TermTable& terms, TermId a, TermId b, std::string_view name)
{
    static constexpr std::array<std::string_view, 12> kArithmetic{"add",  "sub",  "mul", "div", "truediv", "pow",
                                                                  "rsub", "fill", "eq",  "ne",  "lt",      "gt"};
    const auto value = [&](TermId id) { return static_cast<std::int64_t>(terms[id].bits); };
    if (!isKind(terms, a, ArgumentKind::integer) || !isKind(terms, b, ArgumentKind::integer))
        return false;
    constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
    if ((value(a) < 0) != (value(b) < 0))
        return std::ranges::find(kArithmetic, name) == kArithmetic.end();
    return name == "slice" && (value(a) == kEnd || value(b) == kEnd);
}

/// True is 1.
std::optional<double> number(const TermTable& terms, TermId id)
{
    return isKind(terms, id, ArgumentKind::boolean) ? std::optional(terms[id].bits != 0 ? 1.0 : 0.0) : writtenNumber(terms, id);
}

/// 1, 1.0 and True; [2] and 2 and (2,); None and what stands for it.
bool mayBeOneConstant(const TermTable& terms, TermId a, TermId b)
{
    const auto isPlain = [&](TermId id) { return terms[id].kind == TermKind::constant || terms[id].kind == TermKind::group; };
    if (!isPlain(a) || !isPlain(b))
        return false;
    if (isKind(terms, a, ArgumentKind::none) || isKind(terms, b, ArgumentKind::none))
        return true;
    if (terms[a].kind == TermKind::group || terms[b].kind == TermKind::group)
        return true;
    const std::optional<double> first = number(terms, a);
    const std::optional<double> second = number(terms, b);
    if (first && second)
        return *first == *second;
    return terms[a].detail != terms[b].detail;
}

bool takesSameArguments(const TermTable& terms, TermId a, TermId b)
{
    const auto sorted = [&](TermId call) {
        const std::span<const TermId> children = terms.children(call);
        std::vector<TermId> arguments(children.begin() + static_cast<std::ptrdiff_t>(firstArgument(terms, call)), children.end());
        std::ranges::sort(arguments);
        return arguments;
    };
    return sorted(a) == sorted(b);
}

bool commutes(std::string_view name)
{
    static constexpr std::array<std::string_view, 23> kNames{
        "add", "mul",       "multiply",    "maximum",    "minimum",     "fmax",        "fmin",       "eq",
        "ne",  "not_equal", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor",
        "and", "or",        "xor",         "iadd",       "imul",        "hypot",       "dot"};
    return std::ranges::find(kNames, name) != kNames.end();
}

} // namespace

std::string_view doubtOf(const TermTable& terms, ToldApart& apart, const Parting& parting)
{
    constexpr std::string_view kForm = "it may be the same in another form";
    constexpr std::string_view kUnknown = "that these hold different things is not known";
    constexpr std::string_view kGradients = "whether gradients are required of it is not known";
    constexpr std::string_view kElsewhere = "they have one name, and what they hold is not compared where it lies otherwise";
    switch (parting.kind) {
    case Parting::Kind::state: return kForm; // few calls look at the whole of it
    case Parting::Kind::writes: return kUnknown;
    case Parting::Kind::version: return apart.versions(parting.place, parting.a, parting.b) ? std::string_view() : kUnknown;
    case Parting::Kind::random: return {};
    case Parting::Kind::call:
    case Parting::Kind::operand: break;
    }
    for (const auto& [a, b] : parting.calls) {
        const std::string_view name = plainName(terms, a);
        const bool areOne = name == plainName(terms, b);
        if (name.ends_with("dropout") || (areOne && commutes(name) && takesSameArguments(terms, a, b)))
            return kForm;
    }
    const auto isOfKind = [&](TermKind kind) { return terms[parting.a].kind == kind || terms[parting.b].kind == kind; };
    if (isOfKind(TermKind::overwritten))
        return kGradients;
    if (parting.a == parting.b || handsOn(terms, parting.a) || handsOn(terms, parting.b))
        return kForm;
    const bool isCallA = terms[parting.a].kind == TermKind::call;
    const bool isCallB = terms[parting.b].kind == TermKind::call;
    if (isCallA && isCallB) {
        const std::string_view name = plainName(terms, parting.a);
        return !name.empty() && name == plainName(terms, parting.b) ? kForm
            : apart.calls(parting.a, parting.b)                     ? std::string_view()
                                                                    : kUnknown;
    }
    if (isCallA || isCallB) {
        const TermId call = isCallA ? parting.a : parting.b;
        const TermId other = isCallA ? parting.b : parting.a;
        return apart.callAndOther(call, other) ? std::string_view() : kUnknown;
    }
    if (isOfKind(TermKind::read))
        return kUnknown;
    if (terms[parting.a].kind == TermKind::tensor && terms[parting.b].kind == TermKind::tensor)
        return apart.tensors(parting.a, parting.b) ? std::string_view() : kElsewhere;
    const bool inCalls = parting.callA.isValid() && parting.callB.isValid();
    const std::string_view name = inCalls ? plainName(terms, parting.callA) : std::string_view();
    const bool mayBeOne = inCalls
        && (mayBeOneConstant(terms, parting.a, parting.b) || mayBeOnePlace(terms, parting.a, parting.b, name));
    return mayBeOne ? kForm : std::string_view();
}

} // namespace sunder
