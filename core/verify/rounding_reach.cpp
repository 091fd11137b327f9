#include "verify/rounding_reach.h"

#include "verify/layout_reach.h"
#include "verify/rounding_promised.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

namespace sunder {
namespace {

/// Properties that a value may have, as bits.
constexpr std::uint8_t kLaid = 1;    ///< its memory layout differs in the other program
constexpr std::uint8_t kRounded = 2; ///< it differs by rounding in the other program
constexpr std::uint8_t kDtype = 4;   ///< it is a dtype

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
