#include "verify/trace_builder.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::size_t kMaxFields = 64;

const InternedString& gradMode()
{
    static const InternedString name = intern("grad mode");
    return name;
}

} // namespace

TermId TraceBuilder::constantArguments(const TracedCall& call, std::size_t first, bool& complete)
{
    std::vector<TermId> terms;
    const auto take = [&](ValueId value) {
        complete = complete && m_draft.at(value).kind == ValueKind::constant;
        terms.push_back(m_draft.at(value).kind == ValueKind::constant ? m_draft.at(value).term : TermTable::nothing());
    };
    for (std::size_t i = first; i < call.positional.size(); ++i)
        take(call.positional[i]);
    for (const auto& [key, value] : call.keywords) {
        terms.push_back(m_draft.terms.text(key));
        take(value);
    }
    return m_draft.terms.make({.kind = TermKind::group}, terms);
}

bool TraceBuilder::mayBeRefused(const TracedCall& call, InternedString field) const
{
    static constexpr std::array<std::string_view, 7> kDevices{"cpu", "cuda", "mps", "xpu", "hpu", "mtia", "xla"};
    static constexpr std::array<std::string_view, 4> kDefaultTypes{"float16", "bfloat16", "float32", "float64"};
    const auto isOneOf = [](std::span<const std::string_view> words, std::string_view word) {
        return std::ranges::find(words, word) != words.end();
    };
    const bool isAutocast = field.view().starts_with("autocast");
    const auto mayTake = [&](std::size_t slot) {
        const TermId id = m_draft.at(call.slot(slot)).term;
        const Term& term = m_draft.terms[id.isValid() ? id : TermTable::nothing()];
        if (term.kind != TermKind::constant)
            return false;
        switch (static_cast<ArgumentKind>(term.detail)) {
        case ArgumentKind::boolean: return !isAutocast || slot > 1;
        case ArgumentKind::none: return isAutocast && slot > 0;
        case ArgumentKind::dtype:
            return isAutocast ? slot == 1
                              : field.view() == "default dtype" && isOneOf(kDefaultTypes, m_draft.terms.textOf(id).view());
        case ArgumentKind::string:
            return isAutocast ? slot == 0 && isOneOf(kDevices, m_draft.terms.textOf(id).view())
                              : field.view() == "saved tensor hooks";
        default: return false;
        }
    };
    for (std::size_t slot = 0; slot < call.positional.size(); ++slot)
        if (!mayTake(slot))
            return true;
    return !call.keywords.empty();
}

void TraceBuilder::checkSettings(TraceFrame& frame, NodeId id, const TracedCall& call, InternedString field)
{
    if (!mayBeRefused(call, field))
        return;
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const std::uint32_t step = m_steps.pushStep(frame, id, m_draft.functionTarget(node.target, node.op), call, m_draft.leaf({}));
    m_draft.trace.steps[step].role = CallRole::assertion;
}

InternedString TraceBuilder::autocastField(ValueId device) const
{
    return intern("autocast on " + m_draft.terms.textOf(m_draft.at(device).term).str());
}

TermId TraceBuilder::autocastSetting(TermId settings, ValueId dtype, InternedString field)
{
    // A region without a dtype inherits the current one.
    const bool ownDtype = dtype.isValid() && m_draft.at(dtype).term != m_draft.terms.literal(Argument());
    return ownDtype ? settings : m_draft.terms.make({.kind = TermKind::group}, {settings, m_draft.state.value(field)});
}

ValueId TraceBuilder::enterRegion(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call)
{
    bool complete = true;
    TermId active = constantArguments(call, 0, complete);
    Entered entered{.field = facts.field,
                    .gradModeBefore = m_draft.state.value(gradMode()),
                    .gradient = facts.field.view() == "inference mode"};
    if (!complete || call.positional.empty())
        return m_draft.unknown({frame.graph, id}, "it enters a region whose settings are not constant");
    if (!entered.gradient) { // each device type has its own autocast setting
        entered.field = autocastField(call.positional[0]);
        active = autocastSetting(active, call.positional.size() > 1 ? call.positional[1] : call.keyword("dtype"), entered.field);
    }
    checkSettings(frame, id, call, facts.field);
    entered.before = m_draft.state.value(entered.field);
    if (m_draft.state.fieldCount() >= kMaxFields)
        return m_draft.unknown({frame.graph, id}, "it changes more than 64 global settings");
    m_draft.state.set(entered.field, active, entered.gradient, m_draft.terms);
    if (entered.gradient)
        m_draft.state.set(gradMode(), m_draft.terms.make({.kind = TermKind::group}, {m_draft.terms.text(facts.field), active}),
                          true, m_draft.terms);
    m_entered.push_back(entered);
    return m_draft.add({.kind = ValueKind::context,
                        .term = m_draft.terms.make({.kind = TermKind::group}, {m_draft.terms.text(entered.field), active}),
                        .reference = static_cast<std::uint32_t>(m_entered.size() - 1)});
}

void TraceBuilder::leaveRegion(TraceFrame& frame, NodeId id, const TracedCall& call)
{
    if (call.positional.empty() || m_draft.at(call.positional[0]).kind != ValueKind::context) {
        m_draft.setUndecided({frame.graph, id}, "it leaves a region that the program does not enter");
        return;
    }
    const Entered& entered = m_entered[m_draft.at(call.positional[0]).reference];
    m_draft.state.set(entered.field, entered.before, entered.gradient, m_draft.terms);
    if (entered.gradient)
        m_draft.state.set(gradMode(), entered.gradModeBefore, true, m_draft.terms);
}

void TraceBuilder::setState(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    bool complete = true;
    TermId value = constantArguments(call, 0, complete);
    if (facts.field != gradMode()) // several functions set one field in different ways
        value = m_draft.terms.make({.kind = TermKind::group}, {m_draft.functionTarget(node.target, node.op), value});
    if (complete)
        checkSettings(frame, id, call, facts.field);
    else
        m_steps.emitEffect(frame, id, m_draft.functionTarget(node.target, node.op), call);
    m_draft.state.set(facts.field, value, facts.gradField, m_draft.terms);
}

ValueId TraceBuilder::stir(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call)
{
    static const InternedString kOther = intern("other settings");
    static const InternedString kAutocast = intern("autocast settings");
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const TermId target = m_draft.functionTarget(node.target, node.op);
    const ValueId result = primitive(frame, id, facts, call, target);
    const InternedString field = node.target.view().find("autocast") != std::string_view::npos ? kAutocast : kOther;
    m_draft.state.set(field, m_draft.terms.make({.kind = TermKind::group}, {m_draft.state.value(field), target}), false,
                      m_draft.terms);
    return result;
}

ValueId TraceBuilder::backward(TraceFrame& frame, NodeId id, const OperatorFacts& facts, TracedCall call)
{
    if (!m_draft.context.assume.pureCalls) {
        std::unordered_set<std::uint32_t> regions;
        const std::size_t count = m_draft.trace.values.size();
        for (std::size_t i = 0; i < count; ++i) {
            const Value& value = m_draft.trace.values[i];
            if (value.kind == ValueKind::leaf
                && (!m_draft.context.followMemory || regions.insert(m_draft.trace.regions.find(value.region)).second))
                call.positional.emplace_back(static_cast<std::uint32_t>(i));
        }
        return stir(frame, id, facts, call);
    }
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    return primitive(frame, id, facts, call, m_draft.functionTarget(node.target, node.op));
}

bool TraceBuilder::enterCalled(CallRole role, const TracedCall& call, std::size_t settings)
{
    TracedCall given;
    given.positional.assign(call.positional.begin(), call.positional.begin() + static_cast<std::ptrdiff_t>(settings));
    bool complete = true;
    const TermId active = constantArguments(given, 0, complete);
    if (!complete)
        return false;
    if (role == CallRole::gradRegion) {
        m_draft.state.set(gradMode(), active, true, m_draft.terms);
    } else {
        const InternedString field = autocastField(call.positional[0]);
        m_draft.state.set(field, autocastSetting(active, call.positional[1], field), false, m_draft.terms);
    }
    return true;
}

Result<ValueId> TraceBuilder::invoke(TraceFrame& frame, NodeId id, const TracedCall& call)
{
    const std::string_view target = m_draft.program.graph(frame.graph).node(id).target.view();
    const bool named = target.ends_with(".invoke_subgraph");
    const bool packed = target.ends_with(".strict_mode");
    if (call.positional.size() < (named ? 2U : 1U) || m_draft.at(call.positional[0]).kind != ValueKind::graph)
        return m_draft.unknown({frame.graph, id}, "the called graph is unknown");
    const Value graph = m_draft.at(call.positional[0]);
    TracedCall inner;
    inner.positional.assign(call.positional.begin() + (named ? 2 : 1), call.positional.end());
    if (packed && inner.positional.size() == 1 && m_draft.at(inner.positional[0]).kind == ValueKind::container) {
        const Value operands = m_draft.at(inner.positional[0]);
        inner.positional.assign(m_draft.trace.items(operands).begin(), m_draft.trace.items(operands).end());
    }
    return callGraph(frame, id, GraphId(graph.reference), graph.module, inner);
}

Result<ValueId> TraceBuilder::region(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call)
{
    const std::size_t place = facts.role == CallRole::gradRegion ? 1 : 4;
    if (call.positional.size() <= place || m_draft.at(call.positional[place]).kind != ValueKind::graph)
        return m_draft.unknown({frame.graph, id}, "the called graph is unknown");
    const GlobalState before = m_draft.state;
    if (!enterCalled(facts.role, call, place))
        return m_draft.unknown({frame.graph, id}, "it enters a region whose settings are not constant");
    const Value graph = m_draft.at(call.positional[place]);
    TracedCall inner;
    inner.positional.assign(call.positional.begin() + static_cast<std::ptrdiff_t>(place) + 1, call.positional.end());
    SUNDER_TRY(const ValueId result, callGraph(frame, id, GraphId(graph.reference), graph.module, inner));
    m_draft.state = before;
    return result;
}

Result<void> TraceBuilder::closureBody(TraceFrame& frame, const Value& graph, std::span<const ValueId> operands, bool described)
{
    std::vector<ValueId> parameters;
    const GraphId graphId(graph.reference);
    described = described && frame.described && !m_draft.context.reshapes;
    ++m_draft.closures;
    for (const NodeId input : m_draft.program.graph(graphId).nodes()) {
        if (m_draft.program.graph(graphId).node(input).op != Op::placeholder)
            continue;
        parameters.push_back(
            m_draft.leaf(m_draft.terms.make({.kind = TermKind::parameter, .head = m_draft.closures, .bits = parameters.size()})));
    }
    if (m_draft.context.followMemory) {
        const bool paired = operands.size() == parameters.size();
        for (std::size_t i = 0; i < parameters.size(); ++i)
            for (std::size_t k = paired ? i : 0; k < (paired ? i + 1 : operands.size()); ++k)
                m_draft.trace.regions.merge(m_draft.at(parameters[i]).region, m_draft.at(operands[k]).region);
    }
    for (std::size_t i = 0; i < parameters.size() && operands.size() == parameters.size(); ++i)
        m_descriptions.copyDescription(operands[i], parameters[i]);
    Body body{.parameters = m_draft.pool(parameters), .graph = {graphId, m_draft.program.graph(graphId).output()}};
    body.firstStep = static_cast<std::uint32_t>(m_draft.trace.steps.size());
    const GlobalState before = m_draft.state;
    SUNDER_TRY(body.output, runGraph(graphId, graph.module, std::move(parameters), frame.depth + 1, described));
    if (m_draft.state.term() != before.term() || m_draft.state.gradientTerm() != before.gradientTerm())
        m_draft.setUndecided(body.graph, "its graph ends with a different global state than it starts with");
    m_draft.state = before;
    --m_draft.closures;
    body.endStep = static_cast<std::uint32_t>(m_draft.trace.steps.size());
    m_draft.trace.bodies.push_back(body);
    return {};
}

Result<ValueId> TraceBuilder::closures(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    TracedCall operands;
    std::vector<Value> graphs;
    std::vector<ValueId> leaves;
    const auto sort = [&](ValueId value, bool isPredicate) {
        if (m_draft.at(value).kind == ValueKind::graph) {
            graphs.push_back(m_draft.at(value));
            return m_draft.constant(m_draft.terms.text(intern("graph " + std::to_string(graphs.size()))));
        }
        if (!isPredicate)
            m_draft.collectLeaves(value, leaves);
        return value;
    };
    for (std::size_t i = 0; i < call.positional.size(); ++i)
        operands.positional.push_back(sort(call.positional[i], isCond(node) && i == 0));
    for (const auto& [key, value] : call.keywords)
        operands.keywords.emplace_back(key, sort(value, false));

    const ValueId result = primitive(frame, id, facts, operands, m_draft.functionTarget(node.target, node.op));
    const auto step = static_cast<std::uint32_t>(m_draft.trace.steps.size() - 1);
    // The bodies of a step are contiguous, so they are appended after those of nested closures.
    std::vector<Body> own;
    for (const Value& graph : graphs) {
        SUNDER_PROPAGATE(closureBody(frame, graph, leaves, isCond(node)));
        own.push_back(m_draft.trace.bodies.back());
        m_draft.trace.bodies.pop_back();
        if (isCond(node)) // the result is that of one of the graphs
            m_memory.shareMemory(result, own.back().output);
    }
    m_draft.trace.steps[step].bodies = {static_cast<std::uint32_t>(m_draft.trace.bodies.size()),
                                        static_cast<std::uint32_t>(own.size())};
    m_draft.trace.bodies.insert(m_draft.trace.bodies.end(), own.begin(), own.end());
    return result;
}

bool TraceBuilder::isCond(const Node& node)
{
    return node.target.view() == "torch.ops.higher_order.cond";
}

} // namespace sunder
