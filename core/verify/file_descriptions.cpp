#include "verify/file_descriptions.h"

#include "ir/value_kind.h"
#include "verify/normal_rules.h"
#include "verify/tensor_descriptions.h"

#include <algorithm>

namespace sunder {

void FileDescriptions::describe(ValueId value, const Argument& val)
{
    if (value.index() >= m_known.size())
        m_known.resize(m_draft.trace.values.size() + m_draft.trace.values.size() / 2 + 1);
    const Argument*& known = m_known[value.index()];
    if (known == nullptr && m_draft.at(value).kind == ValueKind::leaf)
        known = &val;
}

bool FileDescriptions::isDescribedAs(ValueId id, const Argument& val, int depth) const
{
    const Value& value = m_draft.at(id);
    if (value.kind == ValueKind::container) {
        const std::span<const ValueId> items = m_draft.trace.items(value);
        return depth < kMaxDescriptionDepth && val.items().size() == items.size()
            && std::ranges::equal(
                   items, val.items(), [&](ValueId item, const Argument& of) { return isDescribedAs(item, of, depth + 1); });
    }
    if (value.kind != ValueKind::leaf)
        return !val.is(ArgumentKind::tensor);
    const Argument* known = id.index() < m_known.size() ? m_known[id.index()] : nullptr;
    return known != nullptr && isSameDescription(*known, val);
}

void FileDescriptions::checkDescription(TraceFrame& frame, const Node& node, ValueId value)
{
    if (!frame.described)
        return;
    if (node.op == Op::placeholder && frame.depth > 0) {
        std::vector<ValueId> leaves;
        if (node.meta.val)
            frame.described = isDescribedAs(value, *node.meta.val);
        else
            m_draft.collectLeaves(value, leaves);
        frame.undescribed.insert(leaves.begin(), leaves.end());
    } else if (node.meta.val && frame.undescribed.erase(value) != 0) {
        frame.described = isDescribedAs(value, *node.meta.val);
    }
    if (node.meta.val && frame.described)
        describe(value, *node.meta.val);
}

void FileDescriptions::checkArguments(TraceFrame& frame, const TracedCall& call) const
{
    if (!frame.described || frame.undescribed.empty())
        return;
    std::vector<ValueId> leaves;
    m_draft.collectAll(call, leaves);
    frame.described = std::ranges::none_of(leaves, [&](ValueId leaf) { return frame.undescribed.contains(leaf); });
}

bool FileDescriptions::isRoot(ValueId id, bool isOfModel) const
{
    const TermId term = m_draft.at(id).term;
    if (m_draft.at(id).kind != ValueKind::leaf || !term.isValid())
        return false;
    const TermKind kind = m_draft.terms[term].kind;
    return kind == TermKind::tensor || (!isOfModel && kind == TermKind::input);
}

bool FileDescriptions::hasFixedStrides(ValueId id) const
{
    const Value& value = m_draft.at(id);
    if (m_draft.context.options.sharedStorages) // passes keep all copies
        return true;
    if (value.kind != ValueKind::leaf || isRoot(id, true)) // strides of model tensors are compared
        return true;
    return id.index() < m_hasFixedStrides.size() && m_hasFixedStrides[id.index()];
}

void FileDescriptions::layResult(const OperatorFacts& facts, const TracedCall& call, Step& step)
{
    step.laysDensely = facts.schema() != nullptr && laysDensely(facts.schema()->packet.view());
    std::vector<ValueId> given;
    m_draft.collectAll(call, given);
    if (std::ranges::find(given, step.result) != given.end()) // written in place: strides do not change
        return;
    const bool follows = facts.known && (!facts.isPython || step.role == CallRole::getItem) && !m_draft.context.reshapes
        && std::ranges::all_of(given, [&](ValueId leaf) { return hasFixedStrides(leaf); });
    if (step.result.index() >= m_hasFixedStrides.size())
        m_hasFixedStrides.resize(m_draft.trace.values.size() + m_draft.trace.values.size() / 2 + 1);
    m_hasFixedStrides[step.result.index()] = follows || step.laysDensely;
}

void FileDescriptions::describeCopies(const TraceFrame& frame, const Node& node, const OperatorFacts& facts,
                                      const TracedCall& call, Step& step) const
{
    static const InternedString kClone = intern("torch.ops.aten.clone.default");
    static const InternedString kCopy = intern("torch.ops.aten.copy.default");
    const Graph& graph = m_draft.program.graph(frame.graph);
    step.described = frame.described;
    if (!frame.described)
        return;
    const TensorMeta* const first = describedTensor(graph, node, facts, 0);
    const TensorMeta* const second = describedTensor(graph, node, facts, 1);
    step.clones = node.target == kClone && call.stated == 1 && first != nullptr;
    const bool copies = facts.overwrites || (node.target == kCopy && call.stated == 2);
    if (!copies || !fillsExactly(first, second))
        return;
    const TensorMeta& target = *first;
    if (facts.overwrites) {
        step.overwrites = hasDistinctElements(target);
        const bool areSure = hasFixedStrides(call.slot(0)) && hasFixedStrides(call.slot(1));
        step.otherStrides = (!areSure && !isRoot(call.slot(0), false)) || target.stride != second->stride;
    } else if (target.stride
               && hasFixedStrides(call.slot(0))) { // a functional copy depends only on the layout of its first argument
        std::vector<TermId> parts;
        for (const Argument& stride : *target.stride)
            parts.push_back(m_draft.terms.literal(stride));
        step.firstLayout = m_draft.terms.make({.kind = TermKind::shape}, parts);
    }
}

bool FileDescriptions::returnsRealTensor(const TraceFrame& frame, const Node& node)
{
    const TensorMeta* const meta = frame.described ? tensorOf(node.meta.val) : nullptr;
    return meta != nullptr && !meta->dtype.empty() && !meta->dtype.view().starts_with("complex");
}

void FileDescriptions::settle(TraceFrame& frame, const Node& node, const TracedCall& call, CallFacts& does)
{
    checkArguments(frame, call);
    if (!frame.described || !m_draft.context.assume.recordedDtypes
        || m_draft.context.reshapes) // reshaping may give a tensor the storage of another tensor, of any dtype
        return;
    const ValueId given = call.slot(does.shared.front());
    const Argument* known = given.index() < m_known.size() ? m_known[given.index()] : nullptr;
    if (known != nullptr && known->is(ArgumentKind::tensor) && !movesUnseen(does, m_draft.program.graph(frame.graph), node))
        settleConversion(does, &known->asTensor(), tensorOf(node.meta.val));
    m_draft.trace.usesRecordedDtypes = m_draft.trace.usesRecordedDtypes || !does.converts;
}

bool FileDescriptions::mayResize(const TraceFrame& frame, const Node& node, const CallFacts& does, const TracedCall& call) const
{
    const TensorMeta* result = node.meta.val && node.meta.val->is(ArgumentKind::tensor) ? &node.meta.val->asTensor() : nullptr;
    return std::ranges::any_of(does.resized, [&](std::uint32_t slot) {
        const ValueId out = call.slot(slot);
        const Argument* known = out.index() < m_known.size() ? m_known[out.index()] : nullptr;
        return m_draft.at(out).kind != ValueKind::constant
            && (!frame.described || result == nullptr || known == nullptr || !known->is(ArgumentKind::tensor)
                || known->asTensor().shape != result->shape);
    });
}

void FileDescriptions::copyDescription(ValueId from, ValueId to)
{
    if (from.index() < m_known.size() && m_known[from.index()] != nullptr)
        describe(to, *m_known[from.index()]);
}

} // namespace sunder
