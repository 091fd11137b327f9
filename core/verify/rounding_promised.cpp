#include "verify/rounding_promised.h"

#include "operators/operator_target.h"
#include "operators/rounding_promises.h"
#include "verify/divergence.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder {
namespace {

/// Checks the arguments of a call against lines of the table.
class PromisedCall {
public:
    PromisedCall(const Trace& trace, const TermTable& terms, const Step& step, const OperandDoubts& doubts)
        : m_trace(trace), m_terms(terms), m_step(step), m_doubts(doubts), m_call(callOf(trace, terms, step))
    {
    }

    [[nodiscard]] bool holds(const RoundingPromise& line) const
    {
        if (line.mostOperands && m_call.positional.size() > *line.mostOperands)
            return false;
        if (m_call.positional.size() < line.leastOperands)
            return false;
        if (!line.without.empty() && m_call.keyword(line.without).isValid())
            return false;
        return (!line.offPlace || isOff(*line.offPlace)) && (!line.wholePlace || isWhole(*line.wholePlace))
            && (!line.positive || isPositive(*line.positive))
            && (!line.needsConstants || restAll([this](ValueId id) { return isConstant(id); }))
            && (!line.needsNoDtype || !anyIsDtype());
    }

    /// Whether the line promises continuity in every operand that differs by rounding.
    [[nodiscard]] bool allows(const RoundingPromise& line) const
    {
        if ((line.isRestFixed || line.isFirstFixed) && m_call.positional.empty())
            return false;
        if (line.isFirstFixed && m_doubts.isRounded(m_call.positional.front()))
            return false;
        return !line.isRestFixed || restAll([this](ValueId id) { return !m_doubts.isRounded(id); });
    }

    /// Whether no operand requests a dtype without fractions, and all operands are of known kinds.
    [[nodiscard]] bool keepsFractions() const
    {
        return std::ranges::all_of(m_trace.at(m_step.arguments), [this](ValueId id) { return keepsFractions(id); });
    }

private:
    [[nodiscard]] const Value& at(ValueId id) const { return m_trace.values[id.index()]; }

    template <typename Test>
    [[nodiscard]] bool restAll(Test test) const
    {
        const std::span<const ValueId> all = m_trace.at(m_step.arguments);
        return std::ranges::all_of(all.subspan(std::min<std::size_t>(all.size(), m_call.positional.empty() ? 0 : 1)), test);
    }

    [[nodiscard]] std::optional<ArgumentKind> constantKind(ValueId id) const
    {
        const Value& value = at(id);
        if (value.kind != ValueKind::constant || m_terms[value.term].kind != TermKind::constant)
            return std::nullopt;
        return static_cast<ArgumentKind>(m_terms[value.term].detail);
    }

    [[nodiscard]] bool isConstant(ValueId id) const
    {
        const Value& value = at(id);
        if (value.kind == ValueKind::container)
            return std::ranges::all_of(m_trace.items(value), [this](ValueId item) { return isConstant(item); });
        return constantKind(id).has_value();
    }

    [[nodiscard]] bool anyIsDtype() const
    {
        return std::ranges::any_of(m_trace.at(m_step.arguments),
                                   [this](ValueId id) { return constantKind(id) == ArgumentKind::dtype; });
    }

    [[nodiscard]] bool keepsFractions(ValueId id) const
    {
        static constexpr std::array<std::string_view, 7> kFractions{"float16",   "bfloat16",  "float32",   "float64",
                                                                    "complex32", "complex64", "complex128"};
        const Value& value = at(id);
        if (value.kind == ValueKind::container)
            return std::ranges::all_of(m_trace.items(value), [this](ValueId item) { return keepsFractions(item); });
        if (value.kind == ValueKind::leaf)
            return !m_doubts.mayBeDtype(id);
        if (value.kind != ValueKind::constant)
            return false;
        const std::optional<ArgumentKind> kind = constantKind(id);
        if (!kind) // a size stated by the file
            return m_terms[value.term].kind == TermKind::symbol;
        if (kind == ArgumentKind::dtype)
            return std::ranges::find(kFractions, m_terms.textOf(value.term).view()) != kFractions.end();
        static constexpr std::array kPlain{ArgumentKind::none,        ArgumentKind::boolean, ArgumentKind::integer,
                                           ArgumentKind::floating,    ArgumentKind::string,  ArgumentKind::ellipsis,
                                           ArgumentKind::complex,     ArgumentKind::device,  ArgumentKind::layout,
                                           ArgumentKind::memoryFormat};
        return std::ranges::find(kPlain, *kind) != kPlain.end();
    }

    [[nodiscard]] std::optional<double> number(ValueId id) const
    {
        return at(id).kind == ValueKind::constant ? writtenNumber(m_terms, at(id).term) : std::nullopt;
    }

    [[nodiscard]] bool isWhole(std::size_t place) const
    {
        const std::optional<double> value = place < m_call.positional.size() ? number(m_call.positional[place]) : std::nullopt;
        return value && *value >= 0 && std::floor(*value) == *value;
    }

    [[nodiscard]] bool isOff(std::size_t place) const
    {
        const ValueId id = place < m_call.positional.size() ? m_call.positional[place] : ValueId();
        return id.isValid() && constantKind(id) == ArgumentKind::boolean && m_terms[at(id).term].bits == 0;
    }

    [[nodiscard]] bool isPositive(const RoundingPromise::Positive& operand) const
    {
        if (m_terms[m_step.target].kind == TermKind::module)
            return isPositiveAttribute(operand.name);
        const ValueId id = operand.place < m_call.positional.size() ? m_call.positional[operand.place]
                                                                    : m_call.keyword(operand.name);
        if (!id.isValid())
            return true;
        const std::optional<double> value = number(id);
        return value && *value > 0;
    }

    /// Whether the attribute `name` is a positive number. The term of a leaf module lists attribute names and values after its
    /// path.
    [[nodiscard]] bool isPositiveAttribute(std::string_view name) const
    {
        const std::span<const TermId> facts = m_terms.children(m_step.target);
        for (std::size_t i = 1; i + 1 < facts.size(); i += 2) {
            if (m_terms.textOf(facts[i]).view() != name)
                continue;
            const std::optional<double> written = writtenNumber(m_terms, facts[i + 1]);
            return written && *written > 0;
        }
        return false;
    }

    const Trace& m_trace;
    const TermTable& m_terms;
    const Step& m_step;
    const OperandDoubts& m_doubts;
    TracedCall m_call;
};

} // namespace

RoundingPromised roundingPromised(const Trace& trace, const TermTable& terms, const Step& step, const OperandDoubts& doubts)
{
    RoundingPromised found;
    if (step.opaque || step.asksFile || (step.role != CallRole::function && step.role != CallRole::getItem))
        return found;
    const PromisedCall call(trace, terms, step, doubts);
    for (const RoundingPromise* line : roundingPromisesOf(terms.textOf(step.target).view())) {
        if (!call.holds(*line))
            continue;
        found.rounds = found.rounds || line->rounds;
        found.dense = found.dense || line->dense;
        found.continuous = found.continuous || (line->continuous && call.allows(*line) && call.keepsFractions());
    }
    return found;
}

bool convertsNumber(const TermTable& terms, const Step& step)
{
    const OperatorName target = operatorName(terms.textOf(step.target).view());
    return target.library == "torch" && (target.name.starts_with("sym_") || target.name.starts_with("_sym_"));
}

bool mayGiveDtype(const Trace& trace, const TermTable& terms, const Step& step)
{
    const std::string_view name = operatorName(terms.textOf(step.target).view()).name;
    if (name.find("type") != std::string_view::npos)
        return true;
    if (name != "getattr")
        return false;
    const std::span<const ValueId> given = trace.at(step.arguments);
    const Value* asked = given.size() > 1 ? &trace.values[given[1].index()] : nullptr;
    const bool isConstant = asked != nullptr && asked->kind == ValueKind::constant;
    return !isConstant || terms.textOf(asked->term).view() != "shape";
}

} // namespace sunder
