// Global state and graphs as operands in a trace: regions of autocast and grad mode, subgraphs, closures.
#include "verify/trace_builder.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::size_t kMostFields = 64;

const InternedString& gradMode()
{
    static const InternedString name = intern("grad mode");
    return name;
}

} // namespace

TermId TraceBuilder::constantArguments(const Call& call, std::size_t first, bool& complete)
{
    std::vector<TermId> terms;
    const auto take = [&](ValueId value) {
        complete = complete && at(value).kind == ValueKind::constant;
        terms.push_back(at(value).kind == ValueKind::constant ? at(value).term : TermTable::nothing());
    };
    for (std::size_t i = first; i < call.positional.size(); ++i)
        take(call.positional[i]);
    for (const auto& [key, value] : call.keywords) {
        terms.push_back(m_terms.text(key));
        take(value);
    }
    return m_terms.make({.kind = TermKind::group}, terms);
}

InternedString TraceBuilder::autocastField(ValueId device) const
{
    return intern("autocast on " + m_terms.textOf(at(device).term).str());
}

TermId TraceBuilder::autocastSetting(TermId settings, ValueId dtype, InternedString field)
{
    // Without a dtype of its own a region takes over the one that is set.
    const bool ownDtype = dtype.isValid() && at(dtype).term != m_terms.literal(Argument());
    return ownDtype ? settings : m_terms.make({.kind = TermKind::group}, {settings, m_state.value(field)});
}

ValueId TraceBuilder::enterRegion(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call)
{
    bool complete = true;
    TermId active = constantArguments(call, 0, complete);
    Entered entered{
        .field = facts.field, .gradModeBefore = m_state.value(gradMode()), .gradient = facts.field.view() == "inference mode"};
    if (!complete || call.positional.empty())
        return unknown({frame.graph, id}, "it enters a region whose settings are computed");
    if (!entered.gradient) { // autocast is a setting of each kind of device
        entered.field = autocastField(call.positional[0]);
        active = autocastSetting(active, call.positional.size() > 1 ? call.positional[1] : call.keyword("dtype"), entered.field);
    }
    entered.before = m_state.value(entered.field);
    if (m_state.fieldCount() >= kMostFields)
        return unknown({frame.graph, id}, "it sets more than 64 things of the global state");
    m_state.set(entered.field, active, entered.gradient, m_terms);
    if (entered.gradient)
        m_state.set(gradMode(), m_terms.make({.kind = TermKind::group}, {m_terms.text(facts.field), active}), true, m_terms);
    m_entered.push_back(entered);
    return add({.kind = ValueKind::context,
                .term = m_terms.make({.kind = TermKind::group}, {m_terms.text(entered.field), active}),
                .reference = static_cast<std::uint32_t>(m_entered.size() - 1)});
}

void TraceBuilder::leaveRegion(Frame& frame, NodeId id, const Call& call)
{
    if (call.positional.empty() || at(call.positional[0]).kind != ValueKind::context) {
        giveUp({frame.graph, id}, "it leaves a region that was not entered here");
        return;
    }
    const Entered& entered = m_entered[at(call.positional[0]).reference];
    m_state.set(entered.field, entered.before, entered.gradient, m_terms);
    if (entered.gradient)
        m_state.set(gradMode(), entered.gradModeBefore, true, m_terms);
}

void TraceBuilder::setState(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call)
{
    const Node& node = m_program.graph(frame.graph).node(id);
    bool complete = true;
    TermId value = constantArguments(call, 0, complete);
    if (facts.field != gradMode()) // names that set one field in different ways
        value = m_terms.make({.kind = TermKind::group}, {functionTarget(node.target, node.op), value});
    if (!complete)
        emitEffect(frame, id, functionTarget(node.target, node.op), call);
    m_state.set(facts.field, value, facts.gradField, m_terms);
}

ValueId TraceBuilder::stir(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call)
{
    static const InternedString kOther = intern("other settings");
    const Node& node = m_program.graph(frame.graph).node(id);
    const TermId target = functionTarget(node.target, node.op);
    const ValueId result = primitive(frame, id, facts, call, target);
    m_state.set(kOther, m_terms.make({.kind = TermKind::group}, {m_state.value(kOther), target}), false, m_terms);
    return result;
}

ValueId TraceBuilder::invoke(Frame& frame, NodeId id, Call call)
{
    const std::string_view target = m_program.graph(frame.graph).node(id).target.view();
    const bool named = target.ends_with(".invoke_subgraph");
    const bool packed = target.ends_with(".strict_mode");
    if (call.positional.size() < (named ? 2U : 1U) || at(call.positional[0]).kind != ValueKind::graph)
        return unknown({frame.graph, id}, "the graph that it calls is not known");
    const Value graph = at(call.positional[0]);
    Call inner;
    inner.positional.assign(call.positional.begin() + (named ? 2 : 1), call.positional.end());
    if (packed && inner.positional.size() == 1 && at(inner.positional[0]).kind == ValueKind::container) {
        const Value operands = at(inner.positional[0]);
        inner.positional.assign(m_trace.items(operands).begin(), m_trace.items(operands).end());
    }
    return callGraph(frame, id, GraphId(graph.reference), graph.module, inner);
}

ValueId TraceBuilder::region(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call)
{
    const std::size_t place = facts.role == CallRole::gradRegion ? 1 : 4;
    if (call.positional.size() <= place || at(call.positional[place]).kind != ValueKind::graph)
        return unknown({frame.graph, id}, "the graph that it calls is not known");
    Call settings;
    settings.positional.assign(call.positional.begin(), call.positional.begin() + static_cast<std::ptrdiff_t>(place));
    bool complete = true;
    const TermId active = constantArguments(settings, 0, complete);
    if (!complete)
        return unknown({frame.graph, id}, "it enters a region whose settings are computed");
    const GlobalState before = m_state;
    if (facts.role == CallRole::gradRegion)
        m_state.set(gradMode(), active, true, m_terms);
    else
        m_state.set(autocastField(call.positional[0]),
                    autocastSetting(active, call.positional[1], autocastField(call.positional[0])), false, m_terms);
    const Value graph = at(call.positional[place]);
    Call inner;
    inner.positional.assign(call.positional.begin() + static_cast<std::ptrdiff_t>(place) + 1, call.positional.end());
    const ValueId result = callGraph(frame, id, GraphId(graph.reference), graph.module, inner);
    m_state = before;
    return result;
}

void TraceBuilder::closureBody(Frame& frame, const Value& graph, std::span<const ValueId> operands, bool described)
{
    std::vector<ValueId> parameters;
    const GraphId graphId(graph.reference);
    described = described && frame.described && !m_context.reshapes;
    ++m_closures;
    for (const NodeId input : m_program.graph(graphId).nodes()) {
        if (m_program.graph(graphId).node(input).op != Op::placeholder)
            continue;
        parameters.push_back(leaf(m_terms.make({.kind = TermKind::parameter, .head = m_closures, .bits = parameters.size()})));
    }
    if (m_context.followMemory) {
        const bool paired = operands.size() == parameters.size();
        for (std::size_t i = 0; i < parameters.size(); ++i)
            for (std::size_t k = paired ? i : 0; k < (paired ? i + 1 : operands.size()); ++k)
                m_trace.regions.merge(at(parameters[i]).region, at(operands[k]).region);
    }
    for (std::size_t i = 0; i < parameters.size() && operands.size() == parameters.size(); ++i)
        if (operands[i].index() < m_descriptions.size() && m_descriptions[operands[i].index()] != nullptr)
            describe(parameters[i], *m_descriptions[operands[i].index()]);
    Body body{.parameters = pool(parameters), .graph = {graphId, m_program.graph(graphId).output()}};
    body.firstStep = static_cast<std::uint32_t>(m_trace.steps.size());
    const GlobalState before = m_state;
    body.output = runGraph(graphId, graph.module, std::move(parameters), frame.depth + 1, described);
    if (m_state.term() != before.term() || m_state.gradientTerm() != before.gradientTerm())
        giveUp(body.graph, "the graph that it stands in leaves another global state behind");
    m_state = before;
    --m_closures;
    body.endStep = static_cast<std::uint32_t>(m_trace.steps.size());
    m_trace.bodies.push_back(body);
}

/// What lies in a result may lie where parts of `value` do.
void TraceBuilder::shareMemory(ValueId result, ValueId value)
{
    std::vector<ValueId> leaves;
    collectLeaves(value, leaves);
    for (const ValueId leaf : leaves)
        if (m_context.followMemory)
            m_trace.regions.merge(at(leaf).region, at(result).region);
}

ValueId TraceBuilder::closures(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call)
{
    const Node& node = m_program.graph(frame.graph).node(id);
    Call operands;
    std::vector<Value> graphs;
    std::vector<ValueId> leaves;
    const auto sort = [&](ValueId value, bool isPredicate) {
        if (at(value).kind == ValueKind::graph) {
            graphs.push_back(at(value));
            return constant(m_terms.text(intern("graph " + std::to_string(graphs.size()))));
        }
        if (!isPredicate)
            collectLeaves(value, leaves);
        return value;
    };
    for (std::size_t i = 0; i < call.positional.size(); ++i)
        operands.positional.push_back(sort(call.positional[i], isCond(node) && i == 0));
    for (const auto& [key, value] : call.keywords)
        operands.keywords.emplace_back(key, sort(value, false));

    const ValueId result = primitive(frame, id, facts, operands, functionTarget(node.target, node.op));
    const auto step = static_cast<std::uint32_t>(m_trace.steps.size() - 1);
    // Bodies of one step stand together, so those of closures inside of them are put behind all of it.
    std::vector<Body> own;
    for (const Value& graph : graphs) {
        closureBody(frame, graph, leaves, isCond(node));
        own.push_back(m_trace.bodies.back());
        m_trace.bodies.pop_back();
        if (isCond(node)) // gives what one of its graphs gives
            shareMemory(result, own.back().output);
    }
    m_trace.steps[step].bodies = {static_cast<std::uint32_t>(m_trace.bodies.size()), static_cast<std::uint32_t>(own.size())};
    m_trace.bodies.insert(m_trace.bodies.end(), own.begin(), own.end());
    return result;
}

} // namespace sunder
