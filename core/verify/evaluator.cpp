#include "verify/evaluator.h"

#include "ir/forward_inputs.h"
#include "operators/operator_library.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
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

Evaluator::Evaluator(const Program& program, Side side, Trace& trace, TermTable& terms, const SymbolMapping& mapping,
                     bool orderedRandomness, std::uint64_t mostTermBytes)
    : m_program(program), m_side(side), m_trace(trace), m_terms(terms), m_mapping(mapping),
      m_orderedRandomness(orderedRandomness), m_mostTermBytes(mostTermBytes), m_rootNodes(program.rootGraph()),
      m_locations(trace.values.size()), m_versions(trace.regions.size(), TermTable::nothing()),
      m_containers(trace.values.size(), {TermId(), 0}), m_results(trace.steps.size()), m_filled(trace.steps.size(), 0)
{
    for (std::size_t i = 0; i < trace.values.size(); ++i)
        m_locations[i] = trace.values[i].term;
    if (trace.distinguishesObjects)
        for (const Step& step : trace.steps)
            if (!step.opaque && (step.reshapes || step.detaches))
                for (const Operands& values : {step.written, step.marked})
                    for (const ValueId value : trace.at(values))
                        m_changedObjects.insert(value);
}

bool Evaluator::takesKnownItem(const Step& step) const
{
    if (step.role != CallRole::getItem || step.reading != Reading::firstByLocation)
        return false;
    const Node& node = m_program.node(step.node);
    if (node.args.size() != 2 || !node.args[0].is(ArgumentKind::node) || !node.args[1].is(ArgumentKind::integer))
        return false;
    const std::optional<Argument>& val = m_program.graph(step.node.graph).node(node.args[0].asNode()).meta.val;
    const std::int64_t index = node.args[1].asInteger();
    return val && index >= 0 && index < static_cast<std::int64_t>(val->items().size());
}

std::vector<TermId> Evaluator::callsOutside(const Evaluator& other) const
{
    std::vector<TermId> calls;
    for (std::size_t i = 0; i < m_trace.steps.size(); ++i) {
        const Step& step = m_trace.steps[i];
        const TermId result = m_results[i];
        if (result.isValid() && other.stepOf(result) == kNoStep && m_filled[i] == 0 && !step.clones && !takesKnownItem(step))
            calls.push_back(result);
    }
    return calls;
}

Result<Outcomes> Evaluator::evaluate(StepMonitor& progress)
{
    SUNDER_PROPAGATE(run(0, static_cast<std::uint32_t>(m_trace.steps.size()), progress));
    Outcomes outcomes;
    collectOutputs(outcomes);
    collectMemory(outcomes);
    sortUnique(m_assertions);
    outcomes.assertions = m_assertions;
    outcomes.effects = m_effects;
    outcomes.random = m_random;
    outcomes.state = m_trace.finalState;
    outcomes.gradientState = m_trace.finalGradientState;
    return outcomes;
}

Result<void> Evaluator::run(std::uint32_t first, std::uint32_t end, StepMonitor& progress)
{
    for (std::uint32_t i = first; i < end;) {
        SUNDER_PROPAGATE(progress.step());
        SUNDER_PROPAGATE(runStep(i, progress));
        if (m_terms.bytes() > m_mostTermBytes) {
            if (!m_trace.undecided)
                m_trace.undecided.emplace(m_trace.steps[i].node,
                                          "its result is too large to represent: its operands are lists that grow and change");
            return {};
        }
        const Operands bodies = m_trace.steps[i].bodies;
        i = bodies.count == 0 ? i + 1 : m_trace.bodies[bodies.first + bodies.count - 1].endStep;
    }
    return {};
}

void Evaluator::remember(TermId term, std::uint32_t step)
{
    if (term.index() >= m_origins.size())
        m_origins.resize(std::max<std::size_t>(m_terms.size(), term.index() + 1), kNoStep);
    if (m_origins[term.index()] == kNoStep)
        m_origins[term.index()] = step;
}

Result<void> Evaluator::runStep(std::uint32_t index, StepMonitor& progress)
{
    const Step& step = m_trace.steps[index];
    std::vector<TermId> bodies;
    bool random = step.random;
    for (std::uint32_t i = 0; i < step.bodies.count; ++i) {
        SUNDER_TRY(const TermId body, runBody(m_trace.bodies[step.bodies.first + i], random, progress));
        bodies.push_back(body);
    }
    m_filled[index] = fills(step) ? 1 : 0;
    const TermId content = m_filled[index] != 0 ? read(m_trace.at(step.arguments)[1], false) : TermTable::nothing();
    const TermId result = call(step, bodies);
    remember(result, index);
    m_results[index] = result;
    if (random && m_orderedRandomness) {
        m_random = m_terms.make({.kind = TermKind::random}, {m_random, result});
        remember(m_random, index);
    }
    if (step.role == CallRole::assertion)
        m_assertions.push_back(result);
    if (step.role == CallRole::effect) {
        m_effects = m_terms.make({.kind = TermKind::effect}, {m_effects, result});
        remember(m_effects, index);
    }
    setLocation(step, result);
    if (step.logicalView && !m_versions.empty())
        if (const TermId seen = read(step.result, false); m_terms[seen].kind == TermKind::call) {
            m_results[index] = seen; // a view of overwritten memory is a view of the new contents
            remember(seen, index);
        }
    writeAll(index, result, step.gradientState == TermTable::nothing() ? content : TermTable::nothing());
    if (step.opaque && !m_versions.empty()) // its own writes precede its result
        m_born.emplace(m_locations[step.result.index()],
                       m_versions[m_trace.regions.find(m_trace.values[step.result.index()].region)]);
    return {};
}

void Evaluator::writeAll(std::uint32_t index, TermId call, TermId content)
{
    const Step& step = m_trace.steps[index];
    if (step.detaches && !mayRequireGradient(m_terms.children(call)[kFirstArgument]))
        return;
    std::unordered_set<std::uint32_t> written;
    for (const ValueId value : m_trace.at(step.written)) {
        write(step, value, call, content);
        written.insert(regionOf(value));
        remember(m_versions[regionOf(value)], index);
    }
    // The file may list everything that shares memory with the written value; these are one write.
    for (const ValueId value : m_trace.at(step.marked)) {
        if (!written.insert(regionOf(value)).second)
            continue;
        write(step, value, call, content);
        remember(m_versions[regionOf(value)], index);
    }
}

Result<TermId> Evaluator::runBody(const Body& body, bool& random, StepMonitor& progress)
{
    const TermId before = m_random;
    const TermId effects = m_effects;
    std::vector<TermId> assertions;
    std::swap(assertions, m_assertions);
    m_effects = TermTable::nothing();
    ++m_closures;
    if (!m_versions.empty()) // the inputs of the graph are the arguments of the call, in their current versions
        for (const ValueId parameter : m_trace.at(body.parameters))
            m_born.insert_or_assign(m_locations[parameter.index()], m_versions[regionOf(parameter)]);
    SUNDER_PROPAGATE(run(body.firstStep, body.endStep, progress));
    const TermId output = read(body.output, false);
    --m_closures;
    sortUnique(m_assertions);
    const TermId checks = m_terms.make({.kind = TermKind::group}, m_assertions);
    random = random || m_random != before;
    const TermId closure = m_terms.make({.kind = TermKind::closure, .bits = body.parameters.count},
                                        {output, m_effects, checks, m_random == before ? TermTable::nothing() : m_random});
    m_random = before;
    m_effects = effects;
    std::swap(assertions, m_assertions);
    return closure;
}

TermId Evaluator::call(const Step& step, std::span<const TermId> bodies)
{
    std::vector<TermId> children{step.target, TermTable::nothing(), step.keywords, TermTable::nothing()};
    children.insert(children.end(), bodies.begin(), bodies.end());
    const std::size_t head = children.size();
    bool location = step.reading != Reading::contents;
    const std::vector<std::uint32_t> written = writtenRegions(step);
    std::unordered_map<ValueId, TermId> known;
    std::uint64_t overlap = 0; // bit mask of arguments
    std::uint64_t bit = 1;
    for (const ValueId value : m_trace.at(step.arguments)) {
        bool overlaps = false;
        children.push_back(written.empty() || location ? read(value, location)
                                                       : readBesideWrites(value, written, overlaps, known));
        location = step.reading == Reading::locations;
        overlap |= overlaps ? bit : 0;
        bit = bit << 1U | bit >> 63U;
    }
    if (step.firstLayout.isValid() && !mayRequireGradient(children[head]))
        children[head] = step.firstLayout;
    children[1] = stateFor(step, std::span(children).subspan(head));
    if (step.random && m_orderedRandomness)
        children[3] = m_random;
    if (step.opaque) // no two such calls are equal
        children[3] = m_terms.make({.kind = TermKind::group}, {m_random, m_effects});
    return m_terms.make({.kind = TermKind::call, .detail = static_cast<std::uint8_t>(bodies.size()), .bits = overlap}, children);
}

/// Returns the regions that a call writes to, sorted.
std::vector<std::uint32_t> Evaluator::writtenRegions(const Step& step)
{
    std::vector<std::uint32_t> regions;
    if (m_versions.empty())
        return regions;
    for (const Operands& stretch : {step.written, step.marked})
        for (const ValueId value : m_trace.at(stretch))
            regions.push_back(regionOf(value));
    sortUnique(regions);
    return regions;
}

/// Reads an argument of a call that writes. If an operator reads memory that it also writes to, a copy of that memory is not
/// equivalent. The place of the argument then matters, even if equal contents exist elsewhere.
TermId Evaluator::readBesideWrites(ValueId id, std::span<const std::uint32_t> written, bool& overlaps,
                                   std::unordered_map<ValueId, TermId>& known)
{
    const Value& value = m_trace.values[id.index()];
    if (value.kind == ValueKind::leaf && std::ranges::binary_search(written, regionOf(id))) {
        overlaps = true;
        const TermId place = m_locations[id.index()];
        const TermId version = m_versions[regionOf(id)];
        const bool isAsGiven = version == TermTable::nothing() || isInitial(place, version);
        return isAsGiven ? place : m_terms.make({.kind = TermKind::read}, {place, version});
    }
    if (value.kind != ValueKind::container)
        return read(id, false);
    if (const auto found = known.find(id); found != known.end())
        return found->second;
    std::vector<TermId> children{value.term};
    for (const ValueId item : m_trace.items(value))
        children.push_back(readBesideWrites(item, written, overlaps, known));
    return known.emplace(id, m_terms.make({.kind = TermKind::group}, children)).first->second;
}

TermId Evaluator::stateFor(const Step& step, std::span<const TermId> arguments)
{
    switch (step.role) {
    case CallRole::getItem:
    case CallRole::query:
    case CallRole::assertion:
    case CallRole::container:
    case CallRole::treeFlatten:
    case CallRole::treeUnflatten: return TermTable::nothing();
    default: break;
    }
    TermId gradient = step.gradientState;
    if (gradient != TermTable::nothing() && !step.wholeState && step.bodies.count == 0
        && std::ranges::none_of(arguments, [&](TermId term) { return mayRequireGradient(term); }))
        gradient = TermTable::nothing();
    if (gradient == TermTable::nothing())
        return step.state;
    return m_terms.make({.kind = TermKind::group}, {step.state, gradient});
}

/// Whether a call may return a tensor that requires gradients although none of its arguments does.
bool Evaluator::makesLeaf(TermId call) const
{
    static constexpr std::array<std::string_view, 6> kNames{"requires_grad_", "setattr",     "__setattr__",
                                                            "set_data",       "module_load", "Parameter"};
    const std::span<const TermId> children = m_terms.children(call);
    const std::string_view name = operatorName(m_terms.textOf(children[0]).view()).name;
    const bool isOpaque = m_terms[children[3]].kind == TermKind::group;
    if (isOpaque || std::ranges::find(kNames, name) != kNames.end())
        return true;
    const std::span<const TermId> keywords = children[2] == TermTable::nothing() ? std::span<const TermId>()
                                                                                 : m_terms.children(children[2]);
    for (std::size_t i = 0; i < keywords.size(); ++i) {
        const Term& value = m_terms[children[children.size() - keywords.size() + i]];
        const bool isOff = value.kind == TermKind::constant && value.bits == 0;
        if (!isOff && m_terms.textOf(keywords[i]).view() == "requires_grad")
            return true;
    }
    return false;
}

bool Evaluator::mayRequireGradient(TermId term)
{
    // Children precede their parents, so one pass over the new terms suffices.
    for (std::size_t i = m_gradients.size(); i <= term.index(); ++i) {
        const Term& t = m_terms[TermId(i)];
        bool may = false;
        switch (t.kind) {
        case TermKind::input: may = m_mapping.mayRequireGradient(static_cast<std::uint32_t>(t.bits)); break;
        case TermKind::tensor: may = t.detail != 0; break;
        case TermKind::attribute:
        case TermKind::parameter:
        case TermKind::unmatched: may = true; break;
        case TermKind::constant:
        case TermKind::shape:
        case TermKind::symbol: break;
        case TermKind::call: may = makesLeaf(TermId(i)); [[fallthrough]];
        default:
            for (const TermId child : m_terms.children(TermId(i)))
                may = may || m_gradients[child.index()] != 0;
        }
        m_gradients.push_back(may ? 1 : 0);
    }
    return m_gradients[term.index()] != 0;
}

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
