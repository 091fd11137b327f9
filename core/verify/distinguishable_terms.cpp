#include "verify/distinguishable_terms.h"

#include "operators/module_facts.h"
#include "operators/operator_library.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace sunder {
namespace {

/// Whether an argument after the operands does not change the function: alpha=1, out=None, approximate="none".
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

bool isConvolution(std::string_view name)
{
    return name.starts_with("conv") || name.starts_with("Conv");
}

/// Whether a call draws a random number for every element, regardless of its operands. Others may draw none, like a dropout with
/// probability 0 or poisson of 0.
bool drawsForSure(std::string_view name)
{
    static constexpr std::array<std::string_view, 12> kNames{"rand",       "randn",        "randint",     "rand_like",
                                                             "randn_like", "randint_like", "uniform",     "normal",
                                                             "random",     "bernoulli",    "exponential", "multinomial"};
    while (name.ends_with('_'))
        name.remove_suffix(1);
    return std::ranges::find(kNames, name) != kNames.end();
}

/// Whether a view covers all elements of its tensor.
bool viewsAllElements(const TermTable& terms, TermId view)
{
    static constexpr std::array<std::string_view, 14> kNames{"alias",     "detach",    "expand",  "expand_as", "flatten",
                                                             "movedim",   "permute",   "squeeze", "t",         "transpose",
                                                             "unflatten", "unsqueeze", "view",    "view_as"};
    return std::ranges::find(kNames, targetName(terms, view)) != kNames.end();
}

/// Returns the dimension in which a view selects a part; nothing for unknown operators.
std::optional<std::int64_t> cutDimension(const TermTable& terms, TermId view)
{
    const std::string_view name = targetName(terms, view);
    const std::size_t place = firstArgument(terms, view) + 1;
    if ((name != "select" && name != "slice" && name != "narrow") || place >= terms.children(view).size())
        return std::nullopt;
    return terms.integerOf(terms.children(view)[place]);
}

} // namespace

DistinguishableTerms::DistinguishableTerms(const ExplainedSide& first, const ExplainedSide& second, const TermTable& terms,
                                           const SymbolMapping& mapping)
    : m_first(first), m_second(second), m_terms(terms), m_values(first, second, terms, mapping)
{
    for (const auto& [one, side] : {std::pair(&first, Side::a), std::pair(&second, Side::b)}) {
        const TensorTable& tensors = one->program.tensors;
        for (std::size_t i = 0; i < tensors.size(); ++i)
            if (const TensorRole role = tensors[TensorId(i)].role; role != TensorRole::buffer)
                (role == TensorRole::parameter ? m_parameters : m_constants)
                    .insert(mapping.tensor(side, tensors.object(TensorId(i))));
    }
}

const NumberFunction* DistinguishableTerms::functionOf(TermId call)
{
    const TermId target = m_terms.children(call)[0];
    const auto [found, isNew] = m_functions.try_emplace(target, nullptr);
    const TermKind kind = m_terms[target].kind;
    if (isNew && (kind == TermKind::constant || kind == TermKind::module))
        found->second = numberFunctionOf(m_terms.textOf(target).view());
    return found->second;
}

DistinguishableTerms::Applied DistinguishableTerms::applied(TermId call)
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

DistinguishableTerms::Any DistinguishableTerms::mostOf(std::span<const TermId> terms) const
{
    Any most = Any::no;
    for (const TermId term : terms)
        most = std::max(most, m_any[term.index()]);
    return most;
}

/// Whether a term is a literal or a list of literals: sizes, dimensions, numbers.
bool DistinguishableTerms::isLiteral(TermId term) const
{
    const TermKind kind = m_terms[term].kind;
    return kind == TermKind::constant || kind == TermKind::shape || term == TermTable::nothing()
        || (kind == TermKind::group && std::ranges::all_of(m_terms.children(term), [&](TermId part) { return isLiteral(part); }));
}

DistinguishableTerms::Any DistinguishableTerms::allOf(std::span<const TermId> terms) const
{
    Any most = Any::no;
    for (const TermId term : terms) {
        if (isLiteral(term))
            continue;
        if (m_any[term.index()] == Any::no)
            return Any::no;
        most = std::max(most, m_any[term.index()]);
    }
    return most;
}

/// Returns the kind of numbers that an arithmetic call operates on.
Numbers DistinguishableTerms::numbersOf(std::span<const TermId> operands)
{
    Numbers numbers = Numbers::free;
    for (const TermId operand : operands)
        if (const Numbers other = m_values.numbersOf(operand); other != Numbers::free && !isLiteral(operand))
            numbers = numbers == Numbers::free || numbers == other ? other : Numbers::unknown;
    return numbers;
}

/// Decides which numbers a call can return. All operands must be able to take any value, because a single other operand may be
/// zero or NaN.
DistinguishableTerms::Any DistinguishableTerms::anyNumberOfCall(TermId call)
{
    const std::span<const TermId> arguments = m_terms.children(call).subspan(firstArgument(m_terms, call));
    const NumberFunction* const function = functionOf(call);
    if (function == nullptr || arguments.size() < std::max<std::size_t>(function->operands, 1))
        return Any::no;
    const std::string_view name = nameOfCall(m_terms, call);
    if (function->operands == 0) {
        constexpr std::size_t kBias = 3;
        if (dependsOnFirstOnly(name))
            return m_any[arguments[0].index()];
        if (name == "layer_norm" || name == "group_norm") // for a single element the result is 0
            return arguments.size() > kBias ? m_any[arguments[kBias].index()] : Any::no;
        return isConvolution(name) && !readsInput(call) ? Any::no : allOf(arguments);
    }
    const std::span<const TermId> operands = arguments.first(function->operands);
    const Numbers numbers = numbersOf(operands);
    const bool isFloating = numbers == Numbers::free || numbers == Numbers::floats || numbers == Numbers::complexes;
    for (const TermId operand : operands) {
        constexpr double kMax = 1e4; // beyond this, small numbers are lost to rounding
        const std::optional<double> number = writtenNumber(m_terms, operand);
        const bool isProduct = !function->isNeutral(0.0);
        if (number && (!m_values.isPlainNumber(operand, numbers) || std::abs(*number) > kMax))
            return Any::no;
        if (number && isProduct && std::abs(*number) != 1.0 && (!isFloating || std::abs(*number) < 1.0 / kMax))
            return Any::no;
    }
    const bool cancels = operands.size() > 1 && operands[0] == operands[1] && (function->isNeutral(0.0) || name.ends_with("div"));
    return cancels ? Any::no : allOf(operands);
}

/// Decides from the results for the children, which are known by then.
DistinguishableTerms::Any DistinguishableTerms::anyNumberOf(TermId term)
{
    const std::span<const TermId> children = m_terms.children(term);
    if (m_terms[term].kind != TermKind::group && m_values.numbersOf(term) == Numbers::others)
        return Any::no;
    switch (m_terms[term].kind) {
    case TermKind::input:
    case TermKind::parameter: return Any::always;
    case TermKind::tensor: return m_parameters.contains(term) ? Any::once : Any::no;
    case TermKind::again: return mostOf(children.first(1));
    case TermKind::group: return allOf(children);
    case TermKind::read:
        if (isOpaqueCall(m_terms, m_terms.children(children[1])[1]))
            return Any::always;
        if (const TermId writer = writerOfWhole(m_terms, term); writer.isValid())
            return m_any[writer.index()];
        return Any::no;
    case TermKind::call:
        // Calls with unknown semantics are assumed to return any number. If programs differ only for this reason, `verify()`
        // repeats the comparison with such calls as pure functions.
        return isOpaqueCall(m_terms, term) ? Any::always : anyNumberOfCall(term);
    default: return Any::no;
    }
}

DistinguishableTerms::Any DistinguishableTerms::anyNumber(TermId term)
{
    for (std::size_t i = m_any.size(); i <= term.index(); ++i) // children precede their parents
        m_any.push_back(anyNumberOf(TermId(i)));
    return m_any[term.index()];
}

template <typename IsSpecial>
bool DistinguishableTerms::areAnyNumbers(const Applied& call, IsSpecial isSpecial)
{
    bool hasAny = false;
    const Numbers numbers = numbersOf(call.operands);
    for (const TermId operand : call.operands) {
        const std::optional<double> number = writtenNumber(m_terms, operand);
        if (number ? isSpecial(*number) || !m_values.isPlainNumber(operand, numbers) : anyNumber(operand) == Any::no)
            return false;
        hasAny = hasAny || !number;
    }
    const bool isFloating = numbers == Numbers::free || numbers == Numbers::floats || numbers == Numbers::halves;
    // Otherwise the call may fail for such numbers.
    return hasAny && (isFloating || call.function->isTotal || call.operands.size() > 1);
}

bool DistinguishableTerms::calls(TermId a, TermId b)
{
    const Applied first = applied(a);
    const Applied second = applied(b);
    if (first.function == nullptr || second.function == nullptr || !areDistinguishable(*first.function, *second.function))
        return false;
    const auto areAlikeAt = [&](double number) {
        return first.function->isNeutral(number) && second.function->isNeutral(number);
    };
    return std::ranges::equal(first.operands, second.operands) && areAnyNumbers(first, areAlikeAt)
        && areAnyNumbers(second, areAlikeAt);
}

bool DistinguishableTerms::callAndOther(TermId call, TermId other)
{
    const TermKind kind = m_terms[other].kind;
    if (kind == TermKind::tensor || writtenNumber(m_terms, other))
        return anyNumber(call) == Any::always && !isOpaqueCall(m_terms, call);
    if (kind != TermKind::input)
        return false;
    if (!isComputedFrom(call, other))
        return true;
    const Applied given = applied(call);
    return given.function != nullptr && !given.function->isLike("identity")
        && std::ranges::find(given.operands, other) != given.operands.end()
        && areAnyNumbers(given, [&](double number) { return given.function->isNeutral(number); });
}

/// Returns the chain of views from the base memory down to a place.
std::vector<TermId> DistinguishableTerms::viewsDownTo(TermId place) const
{
    constexpr std::size_t kMaxViews = 64;
    std::vector<TermId> views{place};
    while (views.size() < kMaxViews && m_terms[place].kind == TermKind::call) {
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

bool DistinguishableTerms::overlap(TermId one, TermId other) const
{
    const std::vector<TermId> first = viewsDownTo(one);
    const std::vector<TermId> second = viewsDownTo(other);
    auto [a, b] = std::ranges::mismatch(first, second);
    if (a == first.begin())
        return false;
    const auto isWhole = [&](TermId view) { return viewsAllElements(m_terms, view); };
    const auto partA = std::find_if_not(a, first.end(), isWhole);
    const auto partB = std::find_if_not(b, second.end(), isWhole);
    if (partA == first.end() || partB == second.end())
        return true;
    const std::optional<std::int64_t> dimA = partA == a ? cutDimension(m_terms, *a) : std::nullopt;
    const std::optional<std::int64_t> dimB = partB == b ? cutDimension(m_terms, *b) : std::nullopt;
    return dimA && dimB && *dimA != *dimB && (*dimA < 0) == (*dimB < 0); // a row and a column
}

bool DistinguishableTerms::isChange(TermId version)
{
    const std::span<const TermId> write = m_terms.children(version);
    const TermId place = write[2];
    if (!m_values.hasElements(place))
        return false;
    if (const TermId content = write[3]; content != TermTable::nothing()) // copied over the place
        return content != place && anyNumber(content) == Any::always && !isComputedFrom(content, place);
    const Applied given = applied(write[1]);
    return given.function != nullptr && !given.operands.empty()
        && areAnyNumbers(given, [&](double number) { return given.function->isNeutral(number); });
}

bool DistinguishableTerms::versions(TermId place, TermId a, TermId b, bool atEnd)
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

/// Whether one place is a view of all elements of the other.
bool DistinguishableTerms::isWholeOf(TermId view, TermId place) const
{
    for (auto [from, to] : {std::pair(view, place), std::pair(place, view)}) {
        const std::vector<TermId> views = viewsDownTo(from);
        const auto found = std::ranges::find(views, to);
        if (found != views.end()
            && std::all_of(found + 1, views.end(), [&](TermId one) { return viewsAllElements(m_terms, one); }))
            return true;
    }
    return false;
}

/// Whether at least one output of a convolution depends on its input: its first window is not padding only.
bool DistinguishableTerms::readsInput(TermId convolution) const
{
    // Arguments of conv1d, conv2d, and conv3d: input, weight, bias, stride, padding, dilation. For convolution, `transposed`
    // follows.
    constexpr std::size_t kWeight = 1;
    constexpr std::size_t kPadding = 4;
    constexpr std::size_t kTransposed = 6;
    const std::span<const TermId> arguments = m_terms.children(convolution).subspan(firstArgument(m_terms, convolution));
    const bool hasKeywords = m_terms.children(convolution)[2] != TermTable::nothing();
    const std::string_view name = nameOfCall(m_terms, convolution);
    if (m_terms[m_terms.children(convolution)[0]].kind == TermKind::module) // padding of modules is not examined
        return false;
    if (name.starts_with("conv_transpose") || hasKeywords)
        return false;
    const bool isGeneral = name == "convolution";
    if (isGeneral && (arguments.size() <= kTransposed || m_terms[arguments[kTransposed]].bits != 0))
        return false;
    if (arguments.size() <= kPadding)
        return true;
    const std::optional<std::vector<std::int64_t>> kernel = m_values.sizesOf(arguments[kWeight]);
    std::vector<double> padding;
    const std::span<const TermId> one = arguments.subspan(kPadding, 1);
    const std::span<const TermId> given = m_terms[one[0]].kind == TermKind::group ? m_terms.children(one[0]).subspan(1) : one;
    for (const TermId size : given) {
        const std::optional<double> written = writtenNumber(m_terms, size);
        if (!written)
            return false;
        padding.push_back(*written);
    }
    if (std::ranges::all_of(padding, [](double size) { return size == 0.0; }))
        return true;
    if (!kernel || kernel->size() < 3)
        return false;
    const bool dilates = arguments.size() > kPadding + 1 && [&] {
        const TermId dilation = arguments[kPadding + 1];
        const std::span<const TermId> steps = m_terms[dilation].kind == TermKind::group ? m_terms.children(dilation).subspan(1)
                                                                                        : arguments.subspan(kPadding + 1, 1);
        return std::ranges::any_of(steps, [&](TermId step) { return writtenNumber(m_terms, step) != 1.0; });
    }();
    const double smallest = static_cast<double>(*std::min_element(kernel->begin() + 2, kernel->end()));
    return !dilates && *std::ranges::max_element(padding) < smallest;
}

/// Whether a call propagates a difference in one argument. `isWhole`: whether all elements differ; otherwise at least some do.
bool DistinguishableTerms::propagates(TermId a, TermId b, bool& isWhole)
{
    const std::string_view name = nameOfCall(m_terms, a);
    const std::span<const TermId> first = m_terms.children(a).subspan(firstArgument(m_terms, a));
    const std::span<const TermId> second = m_terms.children(b).subspan(firstArgument(m_terms, b));
    const auto at = static_cast<std::size_t>(std::ranges::mismatch(first, second).in1 - first.begin());
    if (!m_values.hasElements(a) || !m_values.hasElements(b) || at == first.size())
        return false;
    if (name == "cat" || name == "concat" || name == "concatenate" || name == "stack") {
        isWhole = false;
        return true;
    }
    if (dependsOnFirstOnly(name)) {
        static constexpr std::array<std::string_view, 7> kPartial{"getitem", "select", "slice", "narrow",
                                                                  "split",   "chunk",  "unbind"};
        return isWhole || std::ranges::find(kPartial, name) == kPartial.end();
    }
    constexpr std::size_t kBias = 2;
    if (isConvolution(name) && at != kBias && !(isWhole && readsInput(a) && readsInput(b)))
        return false;
    // Numbers that the program computes from constants may be zero or NaN.
    const NumberFunction* const function = functionOf(a);
    if (function == nullptr)
        return true;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const bool isTensor = m_terms[first[i]].kind == TermKind::tensor;
        const bool isWeight = isTensor && !m_constants.contains(first[i]); // for suitable weights
        const bool isTerm = isTensor && function->isNeutral(0.0);
        if (i == at || isWeight || isTerm)
            continue;
        if (function->operands > 1 && writtenNumber(m_terms, first[i])
            && !(i < function->operands ? m_values.isPlainNumber(first[i], numbersOf(std::array{first[at], second[at]})) : true))
            return false;
        if (!isLiteral(first[i]) && anyNumber(first[i]) == Any::no)
            return false;
    }
    return true;
}

bool DistinguishableTerms::isSeen(const Divergence& parting, std::size_t calls)
{
    bool isWhole = true;
    if (parting.kind == Divergence::Kind::version) {
        const std::vector<TermId> first = versionsUpTo(m_terms, parting.a);
        const std::vector<TermId> second = versionsUpTo(m_terms, parting.b);
        const auto isAll = [&](TermId version) { return isWholeOf(m_terms.children(version)[2], parting.place); };
        const auto [one, other] = std::ranges::mismatch(first, second);
        isWhole = std::all_of(one, first.end(), isAll) && std::all_of(other, second.end(), isAll);
    } else if (!m_values.hasElements(parting.a) || !m_values.hasElements(parting.b)) {
        return false;
    }
    for (const auto& [place, written] : parting.places)
        if (!isWholeOf(place, written) || !m_values.hasElements(place))
            return false;
    for (std::size_t i = calls; i-- > 0;)
        if (!propagates(parting.calls[i].first, parting.calls[i].second, isWhole))
            return false;
    return !parting.mayBeOverwritten;
}

bool DistinguishableTerms::drawsMore(TermId a, TermId b)
{
    const auto drawn = [&](TermId random) {
        std::vector<TermId> calls;
        for (; m_terms[random].kind == TermKind::random; random = m_terms.children(random)[0])
            calls.push_back(m_terms.children(random)[1]);
        std::ranges::reverse(calls);
        return calls;
    };
    const std::vector<TermId> first = drawn(a);
    const std::vector<TermId> second = drawn(b);
    const auto [one, other] = std::ranges::mismatch(first, second);
    if ((one == first.end()) == (other == second.end()))
        return false;
    // A call that creates a tensor without elements draws nothing.
    const auto draws = [&](TermId call) {
        return m_terms[call].kind == TermKind::call && drawsForSure(targetName(m_terms, call)) && m_values.isNotEmpty(call);
    };
    return one == first.end() ? std::any_of(other, second.end(), draws) : std::any_of(one, first.end(), draws);
}

bool DistinguishableTerms::isPlainNumber(TermId call, TermId number)
{
    const std::span<const TermId> arguments = m_terms.children(call).subspan(firstArgument(m_terms, call));
    return m_values.isPlainNumber(number, numbersOf(arguments));
}

bool DistinguishableTerms::isComputedFrom(TermId term, TermId input) const
{
    std::vector<bool> from(term.index() + 1, false);
    for (std::size_t i = 0; i <= term.index(); ++i)
        from[i] = TermId(i) == input
            || std::ranges::any_of(m_terms.children(TermId(i)), [&](TermId child) { return from[child.index()]; });
    return from[term.index()];
}

} // namespace sunder
