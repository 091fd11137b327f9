#include "verify/tensor_reach.h"

#include "operators/operator_library.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::size_t kNotReached = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kNoStep = kNotReached - 1;

/// Finds the values whose layout affects a step, and everything that shares their memory. Works from the last step to the first,
/// because the strides of a result follow from those of its operands.
class LayoutReach {
public:
    LayoutReach(Trace& trace, bool stridesDiffer)
        : m_trace(trace), m_stridesDiffer(stridesDiffer), m_followsMemory(trace.regions.size() > 0),
          m_reached(m_followsMemory ? trace.regions.size() : trace.values.size(), kNotReached)
    {
    }

    /// `step`: the step that depends on the layout; kNoStep if the dependency is outside of all steps.
    void reach(ValueId id, std::size_t step)
    {
        const Value& value = m_trace.values[id.index()];
        if (value.kind == ValueKind::container)
            for (const ValueId item : m_trace.items(value))
                reach(item, step);
        if (value.kind != ValueKind::leaf || m_reached[placeOf(id)] != kNotReached)
            return;
        m_reached[placeOf(id)] = step;
        m_isDone = false;
    }

    /// Returns the step that depends on the layout of a value; kNotReached if there is none.
    [[nodiscard]] std::size_t reachedBy(ValueId id)
    {
        const Value& value = m_trace.values[id.index()];
        if (value.kind == ValueKind::leaf)
            return m_reached[placeOf(id)];
        std::size_t step = kNotReached;
        if (value.kind == ValueKind::container)
            for (const ValueId item : m_trace.items(value))
                step = step == kNotReached ? reachedBy(item) : step;
        return step;
    }

    void follow()
    {
        while (!m_isDone) {
            m_isDone = true;
            for (std::size_t i = m_trace.steps.size(); i-- > 0;)
                follow(i);
        }
    }

private:
    /// A written tensor keeps its strides. copy_ reads only the elements of its source. A view of different
    /// memory is the same view if the strides are equal.
    void follow(std::size_t index)
    {
        const Step& step = m_trace.steps[index];
        bool isWritten = false;
        for (const Operands written : {step.written, step.marked})
            for (const ValueId value : m_trace.at(written)) {
                reach(value, index);
                isWritten = isWritten || sharesMemory(value, step.result);
            }
        const bool decides = looksAtLayout(step, m_stridesDiffer) || step.firstLayout.isValid();
        // Arguments with equal strides give results with equal strides that alias the same arguments.
        const bool follows = m_stridesDiffer ? !step.laysDensely : !m_followsMemory;
        const std::size_t by = decides ? index : follows && !isWritten ? reachedBy(step.result) : kNotReached;
        if (by != kNotReached)
            for (const ValueId value : m_trace.at(step.arguments))
                reach(value, by);
    }

    [[nodiscard]] bool isLeaf(ValueId id) const { return m_trace.values[id.index()].kind == ValueKind::leaf; }
    [[nodiscard]] bool sharesMemory(ValueId a, ValueId b) { return isLeaf(a) && isLeaf(b) && placeOf(a) == placeOf(b); }

    /// Returns the region of a leaf, or the leaf itself if no step writes and memory is not tracked.
    [[nodiscard]] std::size_t placeOf(ValueId leaf)
    {
        return m_followsMemory ? m_trace.regions.find(m_trace.values[leaf.index()].region) : leaf.index();
    }

    Trace& m_trace;
    bool m_stridesDiffer;
    bool m_followsMemory;
    std::vector<std::size_t> m_reached; ///< by placeOf(): the step that depends on the layout
    bool m_isDone = false;
};

std::unordered_set<TermId> writtenBack(const Program& program, Side side, const SymbolMapping& mapping)
{
    std::unordered_set<TermId> places;
    if (!program.signature)
        return places;
    for (const OutputSpec& spec : program.signature->outputs)
        if (const TensorId tensor = program.tensors.find(spec.target); tensor.isValid())
            places.insert(mapping.tensor(side, program.tensors.object(tensor)));
    return places;
}

/// Whether a value requires gradients.
enum class Requires : std::uint8_t {
    unread, ///< not determined yet
    same,   ///< the same in both programs
    surely, ///< required in both, if gradients are recorded
    unsure, ///< depends on a tensor whose requires_grad is compared
};

/// Whether a query of a tensor does not depend on gradients.
bool needsNoGradient(std::string_view name)
{
    static constexpr std::array<std::string_view, 17> kNames{
        "device", "dim",  "dtype",  "element_size",       "getattr",  "is_contiguous", "layout",    "ndim",          "numel",
        "shape",  "size", "stride", "sym_storage_offset", "sym_size", "sym_stride",    "sym_numel", "storage_offset"};
    return std::ranges::find(kNames, name) != kNames.end();
}

/// Whether an operator selects its algorithm, and thus its rounding, by the requires_grad of its arguments.
bool choosesByGradients(std::string_view name)
{
    static constexpr std::array<std::string_view, 12> kNames{"matmul",
                                                             "__matmul__",
                                                             "linear",
                                                             "Linear",
                                                             "bilinear",
                                                             "einsum",
                                                             "tensordot",
                                                             "MultiheadAttention",
                                                             "scaled_dot_product_attention",
                                                             "multi_head_attention_forward",
                                                             "TransformerEncoderLayer",
                                                             "TransformerEncoder"};
    return std::ranges::find(kNames, name) != kNames.end();
}

class GradientReach {
public:
    GradientReach(Trace& trace, const TermTable& terms)
        : m_trace(trace), m_terms(terms), m_known(trace.values.size(), Requires::unread)
    {
    }

    void begin(std::span<const TermId> tensors)
    {
        const std::unordered_set<TermId> compared(tensors.begin(), tensors.end());
        for (const ValueId root : m_trace.roots) {
            const Value& value = m_trace.values[root.index()];
            const bool isWritten = m_trace.regions.size() > 0 && m_trace.regions.isWritten(value.region);
            const bool isTensor = m_terms[value.term].kind == TermKind::tensor;
            if (compared.contains(value.term))
                m_known[root.index()] = Requires::unsure;
            else if (isTensor && m_terms[value.term].detail != 0 && !isWritten)
                m_known[root.index()] = Requires::surely;
        }
    }

    /// Returns false if the effect of a step may depend on gradients.
    [[nodiscard]] bool follow(const Step& step)
    {
        Requires given = Requires::same;
        for (const ValueId argument : m_trace.at(step.arguments))
            given = worst(given, of(argument));
        const bool isRecorded = step.gradientState == TermTable::nothing();
        Requires& result = m_known[step.result.index()];
        if (given != Requires::unsure) {
            const bool isKept = given == Requires::surely && step.keepsGradients && isRecorded;
            if (result == Requires::unread)
                result = isKept ? Requires::surely : Requires::same;
            return true;
        }
        const std::string_view name = operatorName(m_terms.textOf(step.target).view()).name;
        if (step.written.count != 0 || step.marked.count != 0 || step.random || step.opaque || choosesByGradients(name))
            return false;
        if (step.role == CallRole::query || name == "detach") {
            result = Requires::same;
            return name == "detach" || needsNoGradient(name);
        }
        const bool isView = step.logicalView || (step.role == CallRole::getItem && step.reading == Reading::firstByLocation);
        if (!isView && !step.keepsGradients)
            return false;
        const bool isSure = step.keepsGradients && isRecorded
            && std::ranges::any_of(m_trace.at(step.arguments), [&](ValueId id) { return holdsSure(id); });
        result = isSure ? Requires::surely : Requires::unsure;
        return true;
    }

    [[nodiscard]] Requires of(ValueId id)
    {
        Requires& known = m_known[id.index()];
        if (known != Requires::unread)
            return known;
        Requires found = Requires::same;
        if (m_trace.values[id.index()].kind == ValueKind::container)
            for (const ValueId item : m_trace.items(m_trace.values[id.index()]))
                found = worst(found, of(item));
        return m_known[id.index()] = found;
    }

private:
    static Requires worst(Requires a, Requires b) { return std::max(a, b); }

    /// Whether a value, or one in a list, certainly requires gradients.
    [[nodiscard]] bool holdsSure(ValueId id)
    {
        const Value& value = m_trace.values[id.index()];
        return value.kind == ValueKind::container
            ? std::ranges::any_of(m_trace.items(value), [&](ValueId item) { return of(item) == Requires::surely; })
            : of(id) == Requires::surely;
    }

    Trace& m_trace;
    const TermTable& m_terms;
    std::vector<Requires> m_known; ///< by ValueId
};

} // namespace

bool looksAtLayout(const Step& step, bool stridesDiffer)
{
    const bool looks = step.readsLayout == LayoutReading::all || (step.readsLayout == LayoutReading::strides && stridesDiffer);
    return looks && !step.overwrites && (stridesDiffer || !step.logicalView);
}

std::optional<NodeRef> dependsOnLayoutOf(std::span<const TermId> places, bool stridesDiffer, const Program& program, Side side,
                                         Trace& trace, const SymbolMapping& mapping)
{
    if (!trace.bodies.empty()) // closures may return any value
        return NodeRef{};
    const std::unordered_set<TermId> laid(places.begin(), places.end());
    LayoutReach reach(trace, stridesDiffer);
    const std::unordered_set<TermId> mutated = writtenBack(program, side, mapping);
    if (stridesDiffer && !mapping.sharesStorages()) // strides of results are compared
        reach.reach(trace.output, kNoStep);
    for (const ValueId root : trace.roots)
        if (mutated.contains(trace.values[root.index()].term))
            reach.reach(root, kNoStep);
    reach.follow();
    for (const ValueId root : trace.roots)
        if (const std::size_t step = reach.reachedBy(root); step != kNotReached && laid.contains(trace.values[root.index()].term))
            return step == kNoStep ? NodeRef{} : trace.steps[step].node;
    return std::nullopt;
}

bool dependsOnGradientsOf(std::span<const TermId> tensors, Trace& trace, const TermTable& terms)
{
    if (!trace.bodies.empty()) // closures may return any value
        return true;
    GradientReach reach(trace, terms);
    reach.begin(tensors);
    if (!std::ranges::all_of(trace.steps, [&](const Step& step) { return reach.follow(step); }))
        return true;
    return reach.of(trace.output) == Requires::unsure;
}

} // namespace sunder
