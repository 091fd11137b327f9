#include "verify/rounding_reach.h"

#include "operators/number_functions.h"
#include "operators/operator_library.h"
#include "verify/divergence.h"
#include "verify/tensor_reach.h"
#include "verify/trace.h"
#include "verify/traced_call.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

namespace sunder {
namespace {

/// The promises of `core/operators/data/rounding.txt` for a call.
struct RoundingPromised {
    bool rounds = false;     ///< other strides of its inputs affect rounding only
    bool continuous = false; ///< rounding of its inputs changes its results little
    bool dense = false;      ///< its results are contiguous for all strides of its inputs
};

/// Properties of operands in the analyzed program.
class OperandDoubts {
public:
    [[nodiscard]] virtual bool isRounded(ValueId value) const = 0;
    [[nodiscard]] virtual bool mayBeDtype(ValueId value) const = 0;

protected:
    ~OperandDoubts() = default;
};

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

/// Returns the promises whose conditions hold for a call; none for unknown operators. O(operands).
RoundingPromised roundingPromised(const Trace& trace, const TermTable& terms, const Step& step, const OperandDoubts& doubts)
{
    RoundingPromised found;
    if (step.opaque || step.dependsOnUnlistedAttributes || (step.role != CallRole::function && step.role != CallRole::getItem))
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

/// Whether a query converts a number: torch.sym_int(x).
bool convertsNumber(const TermTable& terms, const Step& step)
{
    const OperatorName target = operatorName(terms.textOf(step.target).view());
    return target.library == "torch" && (target.name.starts_with("sym_") || target.name.starts_with("_sym_"));
}

/// Whether the result of a step may be a dtype.
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

/// Properties that a value may have, as bits.
constexpr std::uint8_t kLaid = 1; ///< its memory layout differs in the other program
constexpr std::uint8_t kRounded = 2; ///< it differs by rounding in the other program
constexpr std::uint8_t kDtype = 4; ///< it is a dtype

constexpr const char* kMoreThanRounding = "may turn rounding differences of its inputs into larger ones";

/// Propagates memory layouts and rounding through the steps until a fixed point is reached. Several rounds are needed because a
/// write affects earlier reads in the next run of the program.
class RoundingFlow final : public OperandDoubts {
public:
    RoundingFlow(Trace& trace, const TermTable& terms, bool stridesDiffer)
        : m_trace(trace), m_terms(terms), m_stridesDiffer(stridesDiffer), m_followsMemory(trace.regions.size() > 0),
          m_known(m_followsMemory ? trace.regions.size() : trace.values.size(), 0)
    {
    }

    [[nodiscard]] bool isRounded(ValueId value) const override { return (of(value) & kRounded) != 0; }
    [[nodiscard]] bool mayBeDtype(ValueId value) const override { return (of(value) & kDtype) != 0; }
    [[nodiscard]] bool isLaid(ValueId value) const { return (of(value) & kLaid) != 0; }

    void add(ValueId id, std::uint8_t what)
    {
        if (m_trace.values[id.index()].kind != ValueKind::leaf)
            return;
        std::uint8_t& known = m_known[placeOf(id)];
        m_isDone = m_isDone && (known | what) == known;
        known |= what;
    }

    /// Returns false if a step may cause a difference other than rounding or layout, and describes it in `reach`.
    [[nodiscard]] bool follow(RoundingReach& reach)
    {
        m_isDone = true;
        return std::ranges::all_of(m_trace.steps, [&](const Step& step) { return follow(step, reach); });
    }

    [[nodiscard]] bool isDone() const { return m_isDone; }
    [[nodiscard]] std::vector<NodeRef> rounding() const { return {m_rounding.begin(), m_rounding.end()}; }

private:
    static bool stop(RoundingReach& reach, const Step& step, const char* doubt)
    {
        reach.at = step.node;
        reach.doubt = doubt;
        return false;
    }

    [[nodiscard]] bool follow(const Step& step, RoundingReach& reach)
    {
        std::uint8_t given = mayGiveDtype(m_trace, m_terms, step) ? kDtype : 0;
        for (const ValueId value : m_trace.at(step.arguments))
            given |= of(value);
        bool isWritten = false;
        for (const Operands written : {step.written, step.marked})
            for (const ValueId value : m_trace.at(written)) {
                if (isLaid(value))
                    return stop(reach, step, "writes to a tensor that has a different memory layout");
                isWritten = isWritten || sharesMemory(value, step.result);
            }
        std::uint8_t made = given & kDtype;
        if ((given & (kLaid | kRounded)) != 0 && !settle(step, given, made, reach))
            return false;
        add(step.result, isWritten ? made & ~kLaid : made);
        for (const Operands written : {step.written, step.marked})
            for (const ValueId value : m_trace.at(written))
                add(value, made & kRounded);
        return true;
    }

    /// Adds the properties of the result of a step to `made`.
    [[nodiscard]] bool settle(const Step& step, std::uint8_t given, std::uint8_t& made, RoundingReach& reach)
    {
        const bool isLaid = (given & kLaid) != 0;
        const bool isRounded = (given & kRounded) != 0;
        const bool looks = isLaid && (looksAtLayout(step, m_stridesDiffer) || step.firstLayout.isValid());
        if (looks && (step.random || step.firstLayout.isValid()))
            return stop(reach, step, "may depend on the memory layout of its inputs");
        if (step.role == CallRole::query || step.reading == Reading::locations)
            return (!looks || stop(reach, step, "may reveal the memory layout of its inputs"))
                && (!isRounded || !convertsNumber(m_terms, step) || stop(reach, step, kMoreThanRounding));
        const RoundingPromised promised = roundingPromised(m_trace, m_terms, step, *this);
        if (looks && !promised.rounds)
            return stop(reach, step, "may depend on the memory layout of its inputs");
        if (isRounded && !step.overwrites && (!promised.continuous || writesElsewhere(step)))
            return stop(reach, step, kMoreThanRounding);
        if (looks)
            m_rounding.insert(step.node);
        made |= (looks || isRounded ? kRounded : 0) | (isLaid && !promised.dense ? kLaid : 0);
        return true;
    }

    /// Whether a step writes to a tensor other than its first argument, such as `out`, which may round to another dtype.
    [[nodiscard]] bool writesElsewhere(const Step& step) const
    {
        const std::span<const ValueId> given = m_trace.at(step.arguments);
        const auto isOther = [&](ValueId value) { return given.empty() || value != given.front(); };
        return std::ranges::any_of(m_trace.at(step.written), isOther) || std::ranges::any_of(m_trace.at(step.marked), isOther);
    }

    [[nodiscard]] std::uint8_t of(ValueId id) const
    {
        const Value& value = m_trace.values[id.index()];
        std::uint8_t known = value.kind == ValueKind::leaf ? m_known[placeOf(id)] : 0;
        if (value.kind == ValueKind::container)
            for (const ValueId item : m_trace.items(value))
                known |= of(item);
        return known;
    }

    [[nodiscard]] bool isLeaf(ValueId id) const { return m_trace.values[id.index()].kind == ValueKind::leaf; }
    [[nodiscard]] bool sharesMemory(ValueId a, ValueId b) const { return isLeaf(a) && isLeaf(b) && placeOf(a) == placeOf(b); }

    /// Returns the region of a leaf, or the leaf itself if no step writes.
    [[nodiscard]] std::size_t placeOf(ValueId leaf) const
    {
        return m_followsMemory ? m_trace.regions.find(m_trace.values[leaf.index()].region) : leaf.index();
    }

    Trace& m_trace;
    const TermTable& m_terms;
    bool m_stridesDiffer;
    bool m_followsMemory;
    std::vector<std::uint8_t> m_known; ///< by placeOf()
    std::set<NodeRef> m_rounding; ///< calls that may round differently
    bool m_isDone = false;
};

/// Returns the values that the signature writes back, with their places. The place of an input is invalid.
std::vector<std::pair<ValueId, TermId>> signatureWrites(const Program& program, Side side, const Trace& trace,
                                                        const SymbolMapping& mapping)
{
    std::vector<std::pair<ValueId, TermId>> all;
    if (!program.signature || trace.values[trace.output.index()].kind != ValueKind::container)
        return all;
    const std::span<const ValueId> items = trace.items(trace.values[trace.output.index()]);
    const std::vector<OutputSpec>& specs = program.signature->outputs;
    for (std::size_t i = 0; i < items.size() && i < specs.size(); ++i) {
        const OutputKind kind = specs[i].kind;
        if (kind != OutputKind::bufferMutation && kind != OutputKind::parameterMutation && kind != OutputKind::inputMutation)
            continue;
        const TensorId tensor = kind == OutputKind::inputMutation ? TensorId() : program.tensors.find(specs[i].target);
        all.emplace_back(items[i], tensor.isValid() ? mapping.tensor(side, program.tensors.object(tensor)) : TermId());
    }
    return all;
}

/// Returns the number of the storage of a parameter, buffer, or constant.
std::optional<std::uint32_t> storageNumber(const TermTable& terms, TermId place)
{
    return place.isValid() && terms[place].kind == TermKind::tensor ? std::optional(terms[place].head) : std::nullopt;
}

/// Adds the properties that buffers have in the next run of the program. Returns false if they are unknown.
bool leaveInMemory(RoundingFlow& flow, const Trace& trace, const TermTable& terms,
                   std::span<const std::pair<ValueId, TermId>> back)
{
    for (const auto& [value, place] : back) {
        const std::optional<std::uint32_t> storage = storageNumber(terms, place);
        const bool isRounded = flow.isRounded(value);
        if (isRounded && !storage)
            return false;
        for (const ValueId root : trace.roots) {
            if (!storage || storageNumber(terms, trace.values[root.index()].term) != storage)
                continue;
            if (flow.isLaid(root))
                return false;
            if (isRounded)
                flow.add(root, kRounded);
        }
    }
    return true;
}

} // namespace

RoundingReach roundingReach(std::span<const TermId> places, bool stridesDiffer, const Program& program, Side side, Trace& trace,
                            const TermTable& terms, const SymbolMapping& mapping)
{
    RoundingReach reach;
    if (!trace.bodies.empty()) // closures may return any value
        return reach;
    const std::unordered_set<TermId> laid(places.begin(), places.end());
    RoundingFlow flow(trace, terms, stridesDiffer);
    for (const ValueId root : trace.roots)
        if (laid.contains(trace.values[root.index()].term))
            flow.add(root, kLaid);
    const std::vector<std::pair<ValueId, TermId>> back = signatureWrites(program, side, trace, mapping);
    do {
        if (!flow.follow(reach) || !leaveInMemory(flow, trace, terms, back))
            return reach;
    } while (!flow.isDone());
    if (flow.isLaid(trace.output)) {
        reach.doubt = "results may have different strides";
        return reach;
    }
    reach.rounded = flow.rounding();
    reach.isBounded = !reach.rounded.empty();
    return reach;
}

} // namespace sunder
