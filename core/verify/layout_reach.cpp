#include "verify/layout_reach.h"

#include <algorithm>
#include <unordered_set>

namespace sunder {
namespace {

/// Values whose layout decides something, and with them all that shares their memory; found from the last step to the
/// first, for strides of a result follow from those of what it was made from.
class LayoutReach {
public:
    LayoutReach(Trace& trace, bool stridesDiffer)
        : m_trace(trace), m_stridesDiffer(stridesDiffer), m_followsMemory(trace.regions.size() > 0),
          m_reached(m_followsMemory ? trace.regions.size() : trace.values.size(), false)
    {
    }

    void reach(ValueId id)
    {
        const Value& value = m_trace.values[id.index()];
        if (value.kind == ValueKind::container)
            for (const ValueId item : m_trace.items(value))
                reach(item);
        if (value.kind != ValueKind::leaf || m_reached[placeOf(id)])
            return;
        m_reached[placeOf(id)] = true;
        m_isDone = false;
    }

    [[nodiscard]] bool isReached(ValueId id)
    {
        const Value& value = m_trace.values[id.index()];
        if (value.kind == ValueKind::container)
            return std::ranges::any_of(m_trace.items(value), [&](ValueId item) { return isReached(item); });
        return value.kind == ValueKind::leaf && m_reached[placeOf(id)];
    }

    void follow()
    {
        while (!m_isDone) {
            m_isDone = true;
            for (std::size_t i = m_trace.steps.size(); i-- > 0;)
                follow(m_trace.steps[i]);
        }
    }

private:
    /// What is written to keeps its own strides, whatever is written; copy_ takes numbers from what it copies; a view of
    /// other memory is the same view where strides are the same.
    void follow(const Step& step)
    {
        bool isWritten = false;
        for (const Operands written : {step.written, step.marked})
            for (const ValueId value : m_trace.at(written)) {
                reach(value);
                isWritten = isWritten || sharesMemory(value, step.result);
            }
        const bool reads = step.readsLayout && !step.overwrites && (m_stridesDiffer || !step.logicalView);
        const bool decides = reads || step.firstLayout.isValid();
        // Arguments with equal strides give results with equal strides, which share memory with the same arguments.
        const bool follows = m_stridesDiffer || !m_followsMemory;
        if (decides || (follows && !isWritten && isReached(step.result)))
            for (const ValueId value : m_trace.at(step.arguments))
                reach(value);
    }

    [[nodiscard]] bool isLeaf(ValueId id) const { return m_trace.values[id.index()].kind == ValueKind::leaf; }
    [[nodiscard]] bool sharesMemory(ValueId a, ValueId b) { return isLeaf(a) && isLeaf(b) && placeOf(a) == placeOf(b); }

    /// The memory of a leaf; the leaf itself where nothing is written, so that nobody follows memory.
    [[nodiscard]] std::size_t placeOf(ValueId leaf)
    {
        return m_followsMemory ? m_trace.regions.find(m_trace.values[leaf.index()].region) : leaf.index();
    }

    Trace& m_trace;
    bool m_stridesDiffer;
    bool m_followsMemory;
    std::vector<bool> m_reached; ///< by placeOf()
    bool m_isDone = false;
};

std::unordered_set<TermId> writtenBack(const Program& program, Side side, const Correspondence& correspondence)
{
    std::unordered_set<TermId> places;
    if (!program.signature)
        return places;
    for (const OutputSpec& spec : program.signature->outputs)
        if (const TensorId tensor = program.tensors.find(spec.target); tensor.isValid())
            places.insert(correspondence.tensor(side, program.tensors.object(tensor)));
    return places;
}

} // namespace

bool hangsOnLayoutOf(std::span<const TermId> places, bool stridesDiffer, const Program& program, Side side, Trace& trace,
                     const Correspondence& correspondence)
{
    if (!trace.bodies.empty()) // closures may hand on anything
        return true;
    const std::unordered_set<TermId> laid(places.begin(), places.end());
    LayoutReach reach(trace, stridesDiffer);
    const std::unordered_set<TermId> mutated = writtenBack(program, side, correspondence);
    for (const ValueId root : trace.roots)
        if (mutated.contains(trace.values[root.index()].term))
            reach.reach(root);
    reach.follow();
    return std::ranges::any_of(
        trace.roots, [&](ValueId root) { return laid.contains(trace.values[root.index()].term) && reach.isReached(root); });
}

} // namespace sunder
