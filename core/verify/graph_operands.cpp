#include "verify/graph_operands.h"

namespace sunder {

ValueId GraphOperands::invoke(TraceFrame& frame, NodeId id, const TracedCall& call)
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
    return m_caller.callGraph(frame, id, GraphId(graph.reference), graph.module, inner);
}

ValueId GraphOperands::region(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call)
{
    const std::size_t place = facts.role == CallRole::gradRegion ? 1 : 4;
    if (call.positional.size() <= place || m_draft.at(call.positional[place]).kind != ValueKind::graph)
        return m_draft.unknown({frame.graph, id}, "the called graph is unknown");
    const GlobalState before = m_draft.state;
    if (!m_regions.enterCalled(facts.role, call, place))
        return m_draft.unknown({frame.graph, id}, "it enters a region whose settings are not constant");
    const Value graph = m_draft.at(call.positional[place]);
    TracedCall inner;
    inner.positional.assign(call.positional.begin() + static_cast<std::ptrdiff_t>(place) + 1, call.positional.end());
    const ValueId result = m_caller.callGraph(frame, id, GraphId(graph.reference), graph.module, inner);
    m_draft.state = before;
    return result;
}

void GraphOperands::closureBody(TraceFrame& frame, const Value& graph, std::span<const ValueId> operands, bool described)
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
    body.output = m_caller.runGraph(graphId, graph.module, std::move(parameters), frame.depth + 1, described);
    if (m_draft.state.term() != before.term() || m_draft.state.gradientTerm() != before.gradientTerm())
        m_draft.giveUp(body.graph, "its graph ends with a different global state than it starts with");
    m_draft.state = before;
    --m_draft.closures;
    body.endStep = static_cast<std::uint32_t>(m_draft.trace.steps.size());
    m_draft.trace.bodies.push_back(body);
}

ValueId GraphOperands::closures(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call)
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

    const ValueId result = m_operators.primitive(frame, id, facts, operands, m_draft.functionTarget(node.target, node.op));
    const auto step = static_cast<std::uint32_t>(m_draft.trace.steps.size() - 1);
    // The bodies of a step are contiguous, so they are appended after those of nested closures.
    std::vector<Body> own;
    for (const Value& graph : graphs) {
        closureBody(frame, graph, leaves, isCond(node));
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

} // namespace sunder
