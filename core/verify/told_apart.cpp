#include "verify/told_apart.h"

#include "operators/module_facts.h"
#include "operators/operator_target.h"
#include "verify/parting.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace sunder {
namespace {

/// An argument behind the operands that makes no other function of it: alpha=1, out=None, approximate="none".
bool decidesNothing(const TermTable& terms, TermId extra)
{
    const Term& term = terms[extra];
    if (term.kind != TermKind::constant)
        return false;
    switch (static_cast<ArgumentKind>(term.detail)) {
    case ArgumentKind::none: return true;
    case ArgumentKind::boolean: return term.bits == 0;
    case ArgumentKind::integer: return term.bits == 1;
    case ArgumentKind::string: return terms.textOf(extra).view() == "none";
    default: return false;
    }
}

std::string_view targetName(const TermTable& terms, TermId call)
{
    return operatorName(terms.textOf(terms.children(call)[0]).view()).name;
}

/// A view of all that a tensor has.
bool viewsWhole(const TermTable& terms, TermId view)
{
    static constexpr std::array<std::string_view, 14> kNames{"alias",     "detach",    "expand",  "expand_as", "flatten",
                                                             "movedim",   "permute",   "squeeze", "t",         "transpose",
                                                             "unflatten", "unsqueeze", "view",    "view_as"};
    return std::ranges::find(kNames, targetName(terms, view)) != kNames.end();
}

/// The dimension that a view takes a part of; nothing where that is not one of few operators.
std::optional<std::int64_t> cutDimension(const TermTable& terms, TermId view)
{
    const std::string_view name = targetName(terms, view);
    const std::size_t place = firstArgument(terms, view) + 1;
    if ((name != "select" && name != "slice" && name != "narrow") || place >= terms.children(view).size())
        return std::nullopt;
    const Term& dimension = terms[terms.children(view)[place]];
    const bool isInteger = dimension.kind == TermKind::constant
        && dimension.detail == static_cast<std::uint8_t>(ArgumentKind::integer);
    return isInteger ? std::optional(static_cast<std::int64_t>(dimension.bits)) : std::nullopt;
}

/// A call of what nobody knows. What it gives, and leaves in memory, counts as any numbers here: where programs are said to
/// differ for that, `verify()` takes such calls for functions and asks once more.
bool isOpaque(const TermTable& terms, TermId call)
{
    constexpr std::size_t kRandomNumbers = 3; // random numbers and effects, as a group
    return terms[call].kind == TermKind::call && terms[terms.children(call)[kRandomNumbers]].kind == TermKind::group;
}

} // namespace

ToldApart::ToldApart(const ExplainedSide& first, const ExplainedSide& second, const TermTable& terms,
                     const Correspondence& correspondence)
    : m_first(first), m_second(second), m_terms(terms)
{
    for (const auto& [one, side] : {std::pair(&first, Side::a), std::pair(&second, Side::b)}) {
        const TensorTable& tensors = one->program.tensors;
        for (std::size_t i = 0; i < tensors.size(); ++i)
            if (tensors[TensorId(i)].role == TensorRole::parameter)
                m_parameters.insert(correspondence.tensor(side, tensors.object(TensorId(i))));
    }
}

const NumberFunction* ToldApart::functionOf(TermId call)
{
    const TermId target = m_terms.children(call)[0];
    const auto [found, isNew] = m_functions.try_emplace(target, nullptr);
    const TermKind kind = m_terms[target].kind;
    if (isNew && (kind == TermKind::constant || kind == TermKind::module))
        found->second = numberFunctionOf(m_terms.textOf(target).view());
    return found->second;
}

ToldApart::Applied ToldApart::applied(TermId call)
{
    const NumberFunction* const function = functionOf(call);
    const std::span<const TermId> arguments = m_terms.children(call).subspan(firstArgument(m_terms, call));
    const TermId keywords = m_terms.children(call)[2];
    const std::size_t named = keywords == TermTable::nothing() ? 0 : m_terms.children(keywords).size();
    if (function == nullptr || function->operands == 0 || arguments.size() - named < function->operands)
        return {};
    const auto extras = arguments.subspan(function->operands);
    const bool isPlain = std::ranges::all_of(extras, [&](TermId extra) { return decidesNothing(m_terms, extra); });
    return isPlain ? Applied{function, arguments.first(function->operands)} : Applied{};
}

ToldApart::Any ToldApart::mostOf(std::span<const TermId> terms) const
{
    Any most = Any::no;
    for (const TermId term : terms)
        most = std::max(most, m_any[term.index()]);
    return most;
}

/// By what its children are, which were asked before.
ToldApart::Any ToldApart::anyNumberOf(TermId term)
{
    const std::span<const TermId> children = m_terms.children(term);
    switch (m_terms[term].kind) {
    case TermKind::input:
    case TermKind::parameter: return Any::always;
    case TermKind::tensor: return m_parameters.contains(term) ? Any::once : Any::no;
    case TermKind::again: return mostOf(children.first(1));
    case TermKind::group: return mostOf(children);
    case TermKind::read:
        if (isOpaque(m_terms, m_terms.children(children[1])[1]))
            return Any::always;
        if (const TermId writer = writerOfWhole(m_terms, term); writer.isValid())
            return m_any[writer.index()];
        return Any::no;
    case TermKind::call:
        if (isOpaque(m_terms, term))
            return Any::always;
        return functionOf(term) != nullptr ? mostOf(children.subspan(firstArgument(m_terms, term))) : Any::no;
    default: return Any::no;
    }
}

ToldApart::Any ToldApart::anyNumber(TermId term)
{
    for (std::size_t i = m_any.size(); i <= term.index(); ++i) // children come before their parents
        m_any.push_back(anyNumberOf(TermId(i)));
    return m_any[term.index()];
}

template <typename IsSpecial>
bool ToldApart::areAnyNumbers(const Applied& call, IsSpecial isSpecial)
{
    bool hasAny = false;
    for (const TermId operand : call.operands) {
        const std::optional<double> number = writtenNumber(m_terms, operand);
        if (number ? isSpecial(*number) : anyNumber(operand) == Any::no)
            return false;
        hasAny = hasAny || !number;
    }
    return hasAny;
}

bool ToldApart::calls(TermId a, TermId b)
{
    const Applied first = applied(a);
    const Applied second = applied(b);
    if (first.function == nullptr || second.function == nullptr || !areToldApart(*first.function, *second.function))
        return false;
    const auto areAlikeAt = [&](double number) {
        return first.function->isNeutral(number) && second.function->isNeutral(number);
    };
    return std::ranges::equal(first.operands, second.operands) && areAnyNumbers(first, areAlikeAt);
}

bool ToldApart::callAndOther(TermId call, TermId other)
{
    const TermKind kind = m_terms[other].kind;
    if (kind == TermKind::tensor || writtenNumber(m_terms, other))
        return anyNumber(call) == Any::always && !isOpaque(m_terms, call);
    if (kind != TermKind::input)
        return false;
    if (!isComputedFrom(call, other))
        return true;
    const Applied given = applied(call);
    return given.function != nullptr && !given.function->isLike("identity")
        && std::ranges::find(given.operands, other) != given.operands.end()
        && areAnyNumbers(given, [&](double number) { return given.function->isNeutral(number); });
}

/// What a place is a view of, and so on, from memory that is a view of nothing down to the place.
std::vector<TermId> ToldApart::viewsDownTo(TermId place) const
{
    constexpr std::size_t kMostViews = 64;
    std::vector<TermId> views{place};
    while (views.size() < kMostViews && m_terms[place].kind == TermKind::call) {
        const ExplainedSide& side = m_first.evaluator.stepOf(place) != Evaluator::kNoStep ? m_first : m_second;
        const std::uint32_t step = side.evaluator.stepOf(place);
        if (step == Evaluator::kNoStep || side.trace.steps[step].reading != Reading::firstByLocation)
            break;
        place = m_terms.children(place)[firstArgument(m_terms, place)];
        views.push_back(place);
    }
    std::ranges::reverse(views);
    return views;
}

bool ToldApart::overlap(TermId one, TermId other) const
{
    const std::vector<TermId> first = viewsDownTo(one);
    const std::vector<TermId> second = viewsDownTo(other);
    auto [a, b] = std::ranges::mismatch(first, second);
    if (a == first.begin())
        return false;
    const auto isWhole = [&](TermId view) { return viewsWhole(m_terms, view); };
    const auto partA = std::find_if_not(a, first.end(), isWhole);
    const auto partB = std::find_if_not(b, second.end(), isWhole);
    if (partA == first.end() || partB == second.end())
        return true;
    const std::optional<std::int64_t> dimA = partA == a ? cutDimension(m_terms, *a) : std::nullopt;
    const std::optional<std::int64_t> dimB = partB == b ? cutDimension(m_terms, *b) : std::nullopt;
    return dimA && dimB && *dimA != *dimB && (*dimA < 0) == (*dimB < 0); // a row and a column
}

bool ToldApart::isChange(TermId version)
{
    const std::span<const TermId> write = m_terms.children(version);
    const TermId place = write[2];
    if (const TermId content = write[3]; content != TermTable::nothing()) // copied over it
        return content != place && anyNumber(content) == Any::always && !isComputedFrom(content, place);
    const Applied given = applied(write[1]);
    return given.function != nullptr && !given.operands.empty()
        && areAnyNumbers(given, [&](double number) { return given.function->isNeutral(number); });
}

bool ToldApart::versions(TermId place, TermId a, TermId b, bool atEnd)
{
    constexpr std::size_t kCall = 1;
    constexpr std::size_t kPlace = 2;
    const std::vector<TermId> first = versionsUpTo(m_terms, a);
    const std::vector<TermId> second = versionsUpTo(m_terms, b);
    const auto [one, other] = std::ranges::mismatch(first, second);
    const auto differs = [&](TermId version, const ExplainedSide& elsewhere) {
        const std::span<const TermId> write = m_terms.children(version);
        return overlap(place, write[kPlace]) && isChange(version)
            && !(atEnd && elsewhere.evaluator.stepOf(write[kCall]) != Evaluator::kNoStep);
    };
    return std::any_of(one, first.end(), [&](TermId version) { return differs(version, m_second); })
        || std::any_of(other, second.end(), [&](TermId version) { return differs(version, m_first); });
}

bool ToldApart::isComputedFrom(TermId term, TermId input) const
{
    std::vector<bool> from(term.index() + 1, false);
    for (std::size_t i = 0; i <= term.index(); ++i)
        from[i] = TermId(i) == input
            || std::ranges::any_of(m_terms.children(TermId(i)), [&](TermId child) { return from[child.index()]; });
    return from[term.index()];
}

} // namespace sunder
