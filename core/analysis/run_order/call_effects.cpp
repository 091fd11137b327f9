#include "analysis/run_order/call_effects.h"

#include "ir/value_kind.h"
#include "operators/call_facts.h"

#include <algorithm>
#include <iterator>

namespace sunder {
namespace {

void addNodes(const Argument& argument, std::vector<NodeId>& nodes)
{
    forEachNode(argument, [&](NodeId id) { nodes.push_back(id); });
}

void addAllNodes(const Node& node, std::vector<NodeId>& nodes)
{
    forEachNode(node.args, node.kwargs, [&](NodeId id) { nodes.push_back(id); });
}

} // namespace

EffectFinder::EffectFinder(const Program& program) : m_program(program), m_catalogue(program), m_leaves(program)
{
    CallEffects all;
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        if (GraphId(i) == program.root)
            continue;
        const Graph& graph = program.graphs[i];
        std::vector<std::uint8_t> isOutside(graph.idBound(), 0); // per NodeId: may be in memory from outside the graph
        for (const NodeId id : graph.nodes()) {
            noteOutside(graph, id, isOutside);
            const CallEffects effects = of(graph.node(id));
            std::ranges::copy_if(effects.written, std::back_inserter(all.written),
                                 [&](NodeId written) { return isOutside[written.index()] != 0; });
            all.writesBuffers = all.writesBuffers || effects.writesBuffers;
            all.random = all.random || effects.random;
            all.asserts = effects.ordered ? effects.asserts && (all.asserts || !all.ordered) : all.asserts;
            all.ordered = all.ordered || effects.ordered;
            all.known = all.known && effects.known;
            all.setsState = all.setsState || effects.setsState;
        }
    }
    m_nested = std::move(all);
}

/// `isOutside`: per NodeId of a nested graph, complete for the nodes before this one.
void EffectFinder::noteOutside(const Graph& graph, NodeId id, std::vector<std::uint8_t>& isOutside)
{
    const Node& node = graph.node(id);
    if (!node.isCall() || node.op == Op::callModule) {
        isOutside[id.index()] = 1;
        return;
    }
    const OperatorFacts& facts = m_catalogue.of(node.op, node.target);
    const NodeArguments given(node);
    const CallFacts does = callFacts(facts, given);
    bool isAny = false;
    forEachNode(node.args, node.kwargs, [&](NodeId input) { isAny = isAny || isOutside[input.index()] != 0; });
    bool isShared = !facts.known && isAny;
    for (const std::uint32_t slot : does.shared)
        forEachNode(given.argument(slot), [&](NodeId input) { isShared = isShared || isOutside[input.index()] != 0; });
    isOutside[id.index()] = isShared && !makesTensor(m_catalogue, graph, node) ? 1 : 0;
    for (const std::uint32_t slot : does.reshaped) // it may share memory with another argument then
        if (isAny)
            forEachNode(given.argument(slot), [&](NodeId input) { isOutside[input.index()] = 1; });
}

void EffectFinder::addFacts(const Node& node, CallEffects& effects)
{
    const OperatorFacts& facts = m_catalogue.of(node);
    const NodeArguments given(node);
    const CallFacts does = callFacts(facts, given);
    for (const std::uint32_t slot : does.written)
        addNodes(given.argument(slot), effects.written);
    effects.random = does.random;
    effects.known = facts.known;
    effects.ordered = !facts.known;
    switch (facts.role) {
    case CallRole::assertion:
        effects.asserts = !effects.ordered;
        effects.ordered = true;
        break;
    case CallRole::effect: effects.ordered = true; break;
    case CallRole::enter:
    case CallRole::leave:
    case CallRole::setState:
    case CallRole::stir: effects.setsState = true; break;
    case CallRole::invoke:
    case CallRole::gradRegion:
    case CallRole::autocastRegion:
    case CallRole::closures: addNested(node, effects); break;
    case CallRole::withEffects:
        addNested(node, effects);
        effects.ordered = true;
        effects.asserts = false;
        break;
    default: break;
    }
}

void EffectFinder::addModule(const Node& node, CallEffects& effects)
{
    const ModuleId called = m_program.modules.resolve(node.target.view());
    if (!called || m_program.modules[called].graph || m_program.modules[called].calls) {
        addNested(node, effects);
        return;
    }
    const NodeArguments given(node);
    const ModuleCallFacts does = m_leaves.of(called, given);
    effects.writesBuffers = does.writesBuffers || does.writesParameters;
    effects.random = does.call.random;
    effects.ordered = does.guards || !does.known;
    effects.asserts = does.known;
    effects.known = does.known;
    for (const std::uint32_t slot : does.call.written)
        addNodes(given.argument(slot), effects.written);
}

void EffectFinder::addNested(const Node& node, CallEffects& effects) const
{
    effects.random = effects.random || m_nested.random;
    effects.asserts = m_nested.ordered ? m_nested.asserts && (effects.asserts || !effects.ordered) : effects.asserts;
    effects.ordered = effects.ordered || m_nested.ordered;
    effects.known = effects.known && m_nested.known;
    effects.setsState = effects.setsState || m_nested.setsState;
    effects.writesBuffers = effects.writesBuffers || m_nested.writesBuffers;
    if (!m_nested.written.empty()) {
        effects.writesHeld = true;
        addAllNodes(node, effects.written);
    }
}

CallEffects EffectFinder::of(const Node& node)
{
    CallEffects effects;
    if (!node.isCall())
        return effects;
    if (node.op == Op::callModule)
        addModule(node, effects);
    else
        addFacts(node, effects);
    if (node.meta.mutated) {
        std::vector<NodeId> reads;
        addAllNodes(node, reads);
        for (const std::int32_t position : *node.meta.mutated)
            if (position >= 0 && static_cast<std::size_t>(position) < reads.size())
                effects.written.push_back(reads[static_cast<std::size_t>(position)]);
    }
    return effects;
}

} // namespace sunder
