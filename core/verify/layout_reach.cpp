#include "verify/layout_reach.h"

#include <algorithm>
#include <limits>
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

} // namespace sunder
