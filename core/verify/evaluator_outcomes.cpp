// The observable results of a program.
#include "verify/evaluator.h"

#include "ir/forward_inputs.h"

#include <unordered_map>
#include <unordered_set>

namespace sunder {

/// A functional program may return, or write back, a clone of a value that it overwrites later. The caller sees the same values,
/// so the clone is equal to its original.
HeldTerm Evaluator::held(TermId value)
{
    const std::uint32_t index = stepOf(value);
    if (index == kNoStep || !m_trace.steps[index].clones || m_terms[value].kind != TermKind::call)
        return {value, value};
    const ValueId cloned = m_trace.at(m_trace.steps[index].arguments).front();
    const TermId content = m_terms.children(value)[kFirstArgument];
    return {value, read(cloned, false) != content && !mayRequireGradient(content) ? content : value};
}

namespace {

/// Whether the output specifications name the values that the root graph returns, in order.
bool agree(const Program& program)
{
    const std::span<const Argument> results = flatResults(program.rootGraph());
    const std::vector<OutputSpec>& specs = program.signature->outputs;
    if (results.size() != specs.size())
        return false;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const bool isValue = specs[i].kind == OutputKind::user || specs[i].kind == OutputKind::loss;
        const bool isNode = results[i].is(ArgumentKind::node);
        if (isValue ? specs[i].value != results[i]
                    : !isNode || program.rootGraph().node(results[i].asNode()).name != specs[i].name)
            return false;
    }
    return true;
}

} // namespace

void Evaluator::collectOutput(ValueId id, Outcomes& outcomes)
{
    const Value& value = m_trace.values[id.index()];
    constexpr std::size_t kMaxOutputs = 4'000'000; // nested lists can contain exponentially many values
    if (value.kind == ValueKind::container) {
        for (const ValueId item : m_trace.items(value))
            if (outcomes.outputs.size() < kMaxOutputs)
                collectOutput(item, outcomes);
        return;
    }
    if (outcomes.outputs.size() + 1 >= kMaxOutputs && !m_trace.undecided)
        m_trace.undecided.emplace(m_trace.outputNode, "it has more than 4 million outputs");
    const bool isLeaf = value.kind == ValueKind::leaf && !m_versions.empty();
    outcomes.outputs.push_back(held(isLeaf ? readPlace(m_locations[id.index()], value.region, true) : read(id, false)));
}

void Evaluator::collectOutputs(Outcomes& outcomes)
{
    const Value output = m_trace.values[m_trace.output.index()];
    if (!m_mapping.usesSignature(m_side)) {
        outcomes.structure = read(m_trace.output, false);
        collectOutput(m_trace.output, outcomes);
        return;
    }
    const std::vector<OutputSpec>& specs = m_program.signature->outputs;
    if (output.kind != ValueKind::container || output.itemCount != specs.size() || !agree(m_program)) {
        if (!m_trace.undecided)
            m_trace.undecided.emplace(m_trace.outputNode, "the outputs do not match the signature");
        return;
    }
    // All outputs are read before anything is written back.
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const ValueId item = m_trace.items(output)[i];
        if (specs[i].kind == OutputKind::token)
            continue;
        if (specs[i].kind == OutputKind::user || specs[i].kind == OutputKind::loss || specs[i].kind == OutputKind::gradient)
            collectOutput(item, outcomes);
        else if (const TermId place = placeOf(specs[i]); place.isValid())
            m_mutations.emplace_back(place, read(item, false));
        else if (!m_trace.undecided)
            m_trace.undecided.emplace(m_trace.outputNode,
                                      "the signature writes to " + specs[i].target.str() + ", which does not exist");
    }
}

TermId Evaluator::placeOf(const OutputSpec& spec) const
{
    if (spec.kind != OutputKind::inputMutation) {
        const TensorId tensor = m_program.tensors.find(spec.target);
        return tensor.isValid() ? m_mapping.tensor(m_side, m_program.tensors.object(tensor)) : TermId();
    }
    const NodeId input = m_rootNodes.find(spec.target);
    if (!input.isValid() || m_program.rootGraph().node(input).op != Op::placeholder)
        return {};
    std::size_t position = 0;
    for (NodeId id = m_program.rootGraph().first(); id != input; id = m_program.rootGraph().next(id))
        position += m_program.rootGraph().node(id).op == Op::placeholder ? 1 : 0;
    const InputSlot& slot = m_mapping.inputs(m_side)[position];
    return slot.kind == InputSlot::Kind::user ? m_terms.make({.kind = TermKind::input, .bits = slot.index}) : TermId();
}

/// Applies the mutations of the signature. A write to tracked memory affects everything in its region.
void Evaluator::writeBack(Outcomes& outcomes)
{
    if (m_mutations.empty())
        return;
    std::unordered_map<TermId, std::uint32_t> regionOf;
    for (const ValueId root : m_trace.roots)
        if (!m_versions.empty())
            regionOf.emplace(m_trace.values[root.index()].term, m_trace.regions.find(m_trace.values[root.index()].region));
    for (const auto& [place, content] : m_mutations) {
        if (const auto found = regionOf.find(place); found != regionOf.end())
            overwrite(found->second, place, copiedOver(readPlace(place, found->second, true), content));
        else
            outcomes.memory.emplace_back(place, held(copiedOver(place, content)));
    }
}

void Evaluator::collectMemory(Outcomes& outcomes)
{
    writeBack(outcomes);
    if (m_versions.empty())
        return;
    std::unordered_set<TermId> seen;
    for (const auto& [place, content] : outcomes.memory)
        seen.insert(place);
    const auto collect = [&](TermId place, std::uint32_t region) {
        const TermId content = readPlace(place, region, true);
        if (content != place && seen.insert(place).second)
            outcomes.memory.emplace_back(place, held(content));
    };
    std::unordered_map<std::uint32_t, std::uint32_t> written; // storage → region
    for (const ValueId root : m_trace.roots) {
        const Value& value = m_trace.values[root.index()];
        collect(value.term, value.region);
        if (m_terms[value.term].kind == TermKind::tensor
            && m_versions[m_trace.regions.find(value.region)] != TermTable::nothing())
            written.emplace(m_terms[value.term].head, value.region);
    }
    // Tensors that the program does not read may share the same memory.
    for (std::size_t i = 0; i < m_program.tensors.size() && !written.empty(); ++i) {
        const TermId place = m_mapping.tensor(m_side, m_program.tensors.object(TensorId(i)));
        if (const auto found = written.find(m_terms[place].head); found != written.end())
            collect(place, found->second);
    }
}

} // namespace sunder
