#include "verify/inconclusive_reason.h"

#include "operators/operator_library.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace sunder {
namespace {

/// Returns "add" for aten.add.Tensor, torch.add, a method add, and _operator.add, without the underscores of __add__.
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

/// Whether an operator can return its argument, a copy of it, or the same numbers in another shape.
bool mayReturnArgument(const TermTable& terms, TermId term)
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

/// Whether the keyword arguments of a call cannot cancel an operand: a nonzero factor, a dimension.
bool areHarmless(const TermTable& terms, std::span<const TermId> call)
{
    if (call[2] == TermTable::nothing())
        return true;
    const std::span<const TermId> names = terms.children(call[2]);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string_view name = terms.textOf(names[i]).view();
        const std::optional<double> factor = writtenNumber(terms, call[call.size() - names.size() + i]);
        if (name != "dim" && name != "bias" && !(name == "alpha" && factor && *factor != 0.0))
            return false;
    }
    return true;
}

/// Whether different values of one operand give different results: for views of all elements, sums, products with non-constants,
/// and injective functions. The calls have the same name and differ in one argument.
bool areDistinguishableByCall(const TermTable& terms, TermId a, TermId b, std::string_view name)
{
    static constexpr std::array<std::string_view, 56> kNames{
        "add",      "iadd",    "sub",       "isub",        "rsub",    "mul",        "imul",    "div",       "truediv", "neg",
        "negative", "exp",     "exp2",      "sinh",        "tanh",    "sigmoid",    "asinh",   "arcsinh",   "atan",    "arctan",
        "erf",      "gelu",    "silu",      "softplus",    "relu",    "matmul",     "mm",      "bmm",       "linear",  "addmm",
        "conv1d",   "conv2d",  "conv3d",    "convolution", "clone",   "contiguous", "detach",  "alias",     "view",    "view_as",
        "reshape",  "flatten", "unflatten", "transpose",   "permute", "t",          "squeeze", "unsqueeze", "expand",  "movedim",
        "cat",      "stack",   "getitem",   "select",      "to_copy", "to"};
    if (std::ranges::find(kNames, name) == kNames.end())
        return false;
    const std::span<const TermId> first = terms.children(a);
    const std::span<const TermId> second = terms.children(b);
    if (first.size() != second.size() || first[2] != second[2] || !areHarmless(terms, first))
        return false;
    std::size_t others = 0;
    constexpr double kMax = 1e4; // beyond this, small numbers are lost to rounding in sums and products
    for (std::size_t i = firstArgument(terms, a); i < first.size(); ++i) {
        others += first[i] != second[i] ? 1 : 0;
        const std::optional<double> written = writtenNumber(terms, first[i]);
        const bool isArithmetic = name.ends_with("add") || name.ends_with("sub") || name.ends_with("mul")
            || name.ends_with("div");
        if (isArithmetic && written && (*written == 0.0 ? name.ends_with("mul") : !(std::abs(*written) < kMax)))
            return false;
    }
    return others == 1;
}

/// Whether a file does not determine a value: constants that it stores only as text, and functions and classes that cannot be
/// found by name. Two such values may be equal.
bool isUnstated(const TermTable& terms, TermId term)
{
    if (terms[term].kind != TermKind::constant)
        return terms[term].kind == TermKind::attribute;
    const auto kind = static_cast<ArgumentKind>(terms[term].detail);
    const bool isText = kind == ArgumentKind::opaque || kind == ArgumentKind::unknown || kind == ArgumentKind::object;
    return isText || (kind == ArgumentKind::function && terms.textOf(term).view().find('<') != std::string_view::npos);
}

/// Whether two operands of arithmetic differ in every dtype.
bool areOtherNumbers(const TermTable& terms, TermId a, TermId b, std::string_view name)
{
    static constexpr std::array<std::string_view, 12> kArithmetic{"add",  "iadd", "sub",     "isub", "rsub", "mul",
                                                                  "imul", "div",  "truediv", "pow",  "fill", "full"};
    const std::optional<double> first = writtenNumber(terms, a);
    const std::optional<double> second = writtenNumber(terms, b);
    if (!first || !second || std::ranges::find(kArithmetic, name) == kArithmetic.end())
        return false;
    constexpr double kRounding = 0.02; // precision of bfloat16, with a margin
    return std::abs(*first - *second) > kRounding * std::max(std::abs(*first), std::abs(*second));
}

} // namespace

std::string_view inconclusiveReason(const TermTable& terms, DistinguishableTerms& apart, const Divergence& parting)
{
    constexpr std::string_view kForm = "these may be two forms of the same value";
    constexpr std::string_view kReached = "later calls may give the same result for both";
    constexpr std::string_view kUnknown = "their values may be equal";
    constexpr std::string_view kGradients = "it is unknown whether gradients are required of it";
    constexpr std::string_view kElsewhere =
        "they have the same name but different memory layouts, so their contents are not compared";
    switch (parting.kind) {
    case Divergence::Kind::state: return kForm; // few calls depend on the whole state
    case Divergence::Kind::writes: return kUnknown;
    case Divergence::Kind::random: return apart.drawsMore(parting.a, parting.b) ? std::string_view() : kForm;
    case Divergence::Kind::version:
    case Divergence::Kind::call:
    case Divergence::Kind::operand: break;
    }
    for (const auto& [a, b] : parting.calls) {
        const std::string_view name = plainName(terms, a);
        const bool areOne = name == plainName(terms, b);
        if (name.ends_with("dropout") || (areOne && commutes(name) && takesSameArguments(terms, a, b)))
            return kForm;
    }
    if (terms[parting.a].kind == TermKind::tensor && terms[parting.b].kind == TermKind::tensor)
        return kElsewhere;
    const std::size_t around = parting.kind == Divergence::Kind::call && !parting.calls.empty() ? parting.calls.size() - 1
                                                                                                : parting.calls.size();
    for (std::size_t i = 0; i < around; ++i) {
        const auto& [a, b] = parting.calls[i];
        const std::string_view name = plainName(terms, a);
        if (name != plainName(terms, b) || !areDistinguishableByCall(terms, a, b, name))
            return kReached;
    }
    if (!apart.isSeen(parting, around))
        return kReached;
    if (parting.severalWrites)
        return kUnknown;
    if (parting.kind == Divergence::Kind::version)
        return apart.versions(parting.place, parting.a, parting.b, !parting.callA.isValid()) ? std::string_view() : kUnknown;
    const auto isOfKind = [&](TermKind kind) { return terms[parting.a].kind == kind || terms[parting.b].kind == kind; };
    if (isOfKind(TermKind::overwritten))
        return kGradients;
    if (parting.a == parting.b || mayReturnArgument(terms, parting.a) || mayReturnArgument(terms, parting.b))
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
    const bool inCalls = parting.callA.isValid() && parting.callB.isValid();
    const std::string_view name = inCalls ? plainName(terms, parting.callA) : std::string_view();
    const auto isPlain = [&](TermId id) { return terms[id].kind == TermKind::constant || terms[id].kind == TermKind::group; };
    const bool arePlain = isPlain(parting.a) && isPlain(parting.b);
    if (isUnstated(terms, parting.a) || isUnstated(terms, parting.b))
        return kUnknown;
    const auto isPlainNumber = [&](TermId call, TermId number) { return apart.isPlainNumber(call, number); };
    const bool areOther = inCalls && areOtherNumbers(terms, parting.a, parting.b, name) && isPlainNumber(parting.callA, parting.a)
        && isPlainNumber(parting.callB, parting.b);
    return arePlain && inCalls && !areOther ? kForm : std::string_view();
}

} // namespace sunder
