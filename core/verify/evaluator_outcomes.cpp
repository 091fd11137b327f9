// What can be seen of a program after it ran.
#include "verify/evaluator.h"

#include <unordered_set>

namespace sunder {
namespace {

bool isResult(const OutputSpec& spec)
{
    return spec.kind == OutputKind::user || spec.kind == OutputKind::loss || spec.kind == OutputKind::gradient;
}

} // namespace

/// A result that a functional program hands out before it writes back what it mutates is a clone elsewhere: of what is
/// overwritten later. Who calls the program sees the same values. `mutated`: what is yet to be written back here.
TermId Evaluator::withoutClone(TermId output, const std::unordered_set<TermId>& mutated)
{
    const std::uint32_t index = stepOf(output);
    if (index == kNoStep || !m_trace.steps[index].clones || m_terms[output].kind != TermKind::call)
        return output;
    const ValueId cloned = m_trace.at(m_trace.steps[index].arguments).front();
    const TermId content = m_terms.children(output)[kFirstArgument];
    const bool isOverwritten = read(cloned, false) != content || mutated.contains(content);
    return isOverwritten && !mayRequireGradient(content) ? content : output;
}

void Evaluator::collectOutput(ValueId id, const std::unordered_set<TermId>& mutated, Outcomes& outcomes)
{
    const Value& value = m_trace.values[id.index()];
    if (value.kind == ValueKind::container) {
        for (const ValueId item : m_trace.items(value))
            collectOutput(item, mutated, outcomes);
        return;
    }
    outcomes.outputs.push_back(withoutClone(read(id, false), mutated));
}

void Evaluator::collectOutputs(Outcomes& outcomes)
{
    const Value output = m_trace.values[m_trace.output.index()];
    if (!m_correspondence.usesSignature(m_side)) {
        outcomes.structure = read(m_trace.output, false);
        collectOutput(m_trace.output, {}, outcomes);
        return;
    }
    const std::vector<OutputSpec>& specs = m_program.signature->outputs;
    if (output.kind != ValueKind::container || output.itemCount != specs.size()) {
        if (!m_trace.undecided)
            m_trace.undecided.emplace(m_trace.outputNode, "the outputs are not those of the signature");
        return;
    }
    // Everything is computed before anything is written back.
    std::unordered_set<TermId> mutated;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if (specs[i].kind == OutputKind::token || isResult(specs[i]))
            continue;
        if (const TermId place = placeOf(specs[i]); place.isValid()) {
            outcomes.memory.emplace_back(place, copiedOver(place, read(m_trace.items(output)[i], false)));
            mutated.insert(place);
        } else if (!m_trace.undecided) {
            m_trace.undecided.emplace(m_trace.outputNode,
                                      "the signature writes to " + specs[i].target.str() + ", which is not there");
        }
    }
    for (std::size_t i = 0; i < specs.size(); ++i)
        if (isResult(specs[i]))
            collectOutput(m_trace.items(output)[i], mutated, outcomes);
}

TermId Evaluator::placeOf(const OutputSpec& spec)
{
    if (spec.kind != OutputKind::inputMutation) {
        const TensorId tensor = m_program.tensors.find(spec.target);
        return tensor.isValid() ? m_correspondence.tensor(m_side, m_program.tensors.object(tensor)) : TermId();
    }
    const NodeId input = m_rootNodes.find(spec.target);
    if (!input.isValid() || m_program.rootGraph().node(input).op != Op::placeholder)
        return {};
    std::size_t position = 0;
    for (NodeId id = m_program.rootGraph().first(); id != input; id = m_program.rootGraph().next(id))
        position += m_program.rootGraph().node(id).op == Op::placeholder ? 1 : 0;
    const InputSlot& slot = m_correspondence.inputs(m_side)[position];
    return slot.kind == InputSlot::Kind::user ? m_terms.make({.kind = TermKind::input, .bits = slot.index}) : TermId();
}

void Evaluator::collectMemory(Outcomes& outcomes)
{
    if (m_versions.empty())
        return;
    std::unordered_set<TermId> replaced;
    for (const auto& [place, content] : outcomes.memory)
        replaced.insert(place);
    for (const ValueId root : m_trace.roots) {
        const Value& value = m_trace.values[root.index()];
        const TermId content = readLeaf(value, root, false);
        if (content != value.term && replaced.insert(value.term).second)
            outcomes.memory.emplace_back(value.term, content);
    }
}

} // namespace sunder
