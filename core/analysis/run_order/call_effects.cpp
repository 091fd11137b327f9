#include "analysis/run_order/call_effects.h"

#include "ir/graph_values.h"
#include "ir/value_kind.h"
#include "operators/call_facts.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sunder {
namespace {

constexpr std::size_t kMaxNested = 64;

void addNodes(const Argument& argument, std::vector<NodeId>& nodes)
{
    forEachNode(argument, [&](NodeId id) { nodes.push_back(id); });
}

void addAllNodes(const Node& node, std::vector<NodeId>& nodes)
{
    forEachNode(node.args, node.kwargs, [&](NodeId id) { nodes.push_back(id); });
}

/// Returns the effects of an unknown graph: all of them.
GraphEffects allEffects(std::size_t placeholders)
{
    GraphEffects all{.written = std::vector<std::uint8_t>(placeholders, 1), .returnsOutside = true};
    all.effects = {.written = {},
                   .writesBuffers = true,
                   .writesHeld = true,
                   .random = true,
                   .ordered = true,
                   .known = false,
                   .setsState = true};
    return all;
}

/// Determines the memory of each node in a nested graph: its own, that of one placeholder or tensor, or that of several.
class OutsideMemory {
public:
    OutsideMemory(const Graph& graph, OperatorCatalog& catalogue)
        : m_graph(graph), m_catalogue(catalogue), m_origins(graph.idBound())
    {
    }

    /// Must be called in graph order.
    void add(NodeId id)
    {
        const Node& node = m_graph.node(id);
        if (!node.isCall()) {
            m_origins[id.index()] = {.isOutside = node.op != Op::output, .node = id};
            return;
        }
        if (node.op == Op::callModule) {
            forEachNode(node.args, node.kwargs, [&](NodeId input) { join(id, input); });
            m_origins[id.index()] = {.isOutside = true}; // the result may also be in tensors of the module
            return;
        }
        const OperatorFacts& facts = m_catalogue.of(node.op, node.target);
        const NodeArguments given(node);
        const CallFacts does = callFacts(facts, given);
        if (!makesTensor(m_catalogue, m_graph, node)) {
            if (!facts.known)
                forEachNode(node.args, node.kwargs, [&](NodeId input) { join(id, input); });
            for (const std::uint32_t slot : does.shared)
                forEachNode(given.argument(slot), [&](NodeId input) { join(id, input); });
        }
        for (const std::uint32_t slot : does.reshaped) // may then share memory with another argument
            forEachNode(given.argument(slot), [&](NodeId reshaped) {
                forEachNode(node.args, node.kwargs, [&](NodeId input) { join(reshaped, input); });
            });
    }

    [[nodiscard]] bool isOutside(NodeId id) const { return m_origins[id.index()].isOutside; }
    /// Returns the placeholder or attribute whose memory it is; invalid if there may be several.
    [[nodiscard]] NodeId origin(NodeId id) const { return m_origins[id.index()].node; }

private:
    struct Origin {
        bool isOutside = false;
        NodeId node = {};
    };

    void join(NodeId id, NodeId input)
    {
        const Origin other = m_origins[input.index()];
        Origin& own = m_origins[id.index()];
        if (!other.isOutside)
            return;
        own = !own.isOutside || own.node == other.node ? other : Origin{.isOutside = true};
    }

    const Graph& m_graph;
    OperatorCatalog& m_catalogue;
    std::vector<Origin> m_origins; ///< per NodeId
};

/// Returns whether a graph restores global state: it leaves all regions that it enters and sets nothing else.
bool restoresState(const Graph& graph, OperatorCatalog& catalogue)
{
    std::vector<NodeId> entered;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (node.op != Op::callFunction && node.op != Op::callMethod)
            continue;
        const CallRole role = catalogue.of(node.op, node.target).role;
        if (role == CallRole::setState || role == CallRole::stir || role == CallRole::backward)
            return false;
        if (role == CallRole::enter)
            entered.push_back(id);
        if (role != CallRole::leave)
            continue;
        if (entered.empty() || node.args.size() != 1 || !node.args[0].is(ArgumentKind::node)
            || node.args[0].asNode() != entered.back())
            return false;
        entered.pop_back();
    }
    return entered.empty();
}

void addOthers(const CallEffects& from, CallEffects& to)
{
    to.random = to.random || from.random;
    to.asserts = from.ordered ? from.asserts && (to.asserts || !to.ordered) : to.asserts;
    to.ordered = to.ordered || from.ordered;
    to.known = to.known && from.known;
    to.setsState = to.setsState || from.setsState;
    to.writesBuffers = to.writesBuffers || from.writesBuffers;
    to.writesHeld = to.writesHeld || from.writesHeld;
}

} // namespace

EffectFinder::EffectFinder(const Program& program) : m_program(program), m_catalogue(program), m_leaves(program) {}

EffectFinder::Called EffectFinder::calledBy(const Graph& graph, std::string_view owner, const Node& node) const
{
    if (holdsGraphs(node))
        return {};
    Called called{.hasOperands = true};
    const auto add = [&](InternedString target) {
        const ModuleId module = m_program.modules.resolve(joinPath(owner, target.view()));
        const bool isGraph = module && m_program.modules[module].graph;
        if (isGraph)
            called.graphs.push_back(module);
        return isGraph;
    };
    if (node.op == Op::callModule && !add(node.target))
        return {};
    const Keywords none;
    forEachNode(node.args, none, [&](NodeId input) {
        if (graph.node(input).op != Op::getAttr || !add(graph.node(input).target))
            called.operands.push_back(input);
    });
    called.hasOperands = std::ranges::none_of(node.kwargs, [](const Keyword& keyword) { return keyword.value.holdsNodes(); });
    return called;
}

const GraphEffects& EffectFinder::effectsOf(ModuleId module)
{
    if (const auto known = m_graphs.find(module); known != m_graphs.end())
        return known->second;
    const Graph& graph = m_program.graph(m_program.modules[module].graph);
    std::unordered_map<NodeId, std::size_t> placeOf;
    for (const NodeId id : graph.nodes())
        if (graph.node(id).op == Op::placeholder)
            placeOf.emplace(id, placeOf.size());
    // A graph that calls itself or is nested too deeply is assumed to have all effects.
    GraphEffects& kept = m_graphs.emplace(module, allEffects(placeOf.size())).first->second;
    if (m_depth == kMaxNested)
        return kept;
    ++m_depth;
    GraphEffects found{.written = std::vector<std::uint8_t>(placeOf.size(), 0)};
    OutsideMemory memory(graph, m_catalogue);
    const bool restores = restoresState(graph, m_catalogue);
    const std::string owner = m_program.modules[module].path.str();
    for (const NodeId id : graph.nodes()) {
        memory.add(id);
        const Node& node = graph.node(id);
        if (node.op == Op::output)
            forEachNode(node.args, node.kwargs,
                        [&](NodeId result) { found.returnsOutside = found.returnsOutside || memory.isOutside(result); });
        CallEffects effects = effectsOf(graph, owner, node);
        const bool isFunction = node.op == Op::callFunction || node.op == Op::callMethod;
        const CallRole role = isFunction ? m_catalogue.of(node.op, node.target).role : CallRole::function;
        if (restores && (role == CallRole::enter || role == CallRole::leave))
            effects.setsState = false;
        for (const NodeId written : effects.written) {
            if (!memory.isOutside(written))
                continue;
            const auto place = placeOf.find(memory.origin(written));
            if (place != placeOf.end()) {
                found.written[place->second] = 1;
                continue;
            }
            found.effects.writesHeld = true;
            if (!memory.origin(written))
                std::ranges::fill(found.written, 1);
        }
        addOthers(effects, found.effects);
    }
    --m_depth;
    return m_graphs[module] = std::move(found);
}

const CallEffects& EffectFinder::effectsOfAny()
{
    if (m_any)
        return *m_any;
    m_any = allEffects(0).effects; // for nested calls
    CallEffects any;
    for (std::size_t i = 0; i < m_program.modules.size(); ++i) {
        const GraphId graph = m_program.modules[ModuleId(i)].graph;
        if (!graph || graph == m_program.root)
            continue;
        const GraphEffects& does = effectsOf(ModuleId(i));
        addOthers(does.effects, any);
        any.writesHeld = any.writesHeld || std::ranges::find(does.written, 1) != does.written.end();
    }
    if (std::ranges::any_of(m_program.owners, [](ModuleId owner) { return !owner; }))
        any = allEffects(0).effects; // graphs passed as arguments
    return *(m_any = std::move(any));
}

bool EffectFinder::returnsFresh(const Node& node)
{
    static const InternedString kCond = intern("torch.ops.higher_order.cond");
    bool callsGraphs = node.op == Op::callModule;
    if (node.op == Op::callFunction) {
        const CallRole role = m_catalogue.of(node.op, node.target).role;
        callsGraphs = role == CallRole::invoke || role == CallRole::gradRegion || role == CallRole::autocastRegion
            || node.target == kCond; // a loop with zero iterations returns its operands
    }
    if (!callsGraphs)
        return false;
    const Called called = calledBy(m_program.rootGraph(), {}, node);
    return !called.graphs.empty()
        && std::ranges::none_of(called.graphs, [this](ModuleId module) { return effectsOf(module).returnsOutside; });
}

void EffectFinder::addFacts(const Graph& graph, std::string_view owner, const Node& node, CallEffects& effects)
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
    case CallRole::backward: effects.ordered = effects.setsState = true; break;
    case CallRole::enter:
    case CallRole::leave:
    case CallRole::setState:
    case CallRole::stir: effects.setsState = true; break;
    case CallRole::invoke:
    case CallRole::gradRegion:
    case CallRole::autocastRegion:
    case CallRole::closures: addNested(graph, owner, node, effects); break;
    case CallRole::withEffects:
        addNested(graph, owner, node, effects);
        effects.ordered = true;
        effects.asserts = false;
        break;
    default: break;
    }
}

void EffectFinder::addModule(const Graph& graph, std::string_view owner, const Node& node, CallEffects& effects)
{
    const ModuleId called = m_program.modules.resolve(joinPath(owner, node.target.view()));
    if (!called || m_program.modules[called].graph || m_program.modules[called].calls) {
        addNested(graph, owner, node, effects);
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

void EffectFinder::addNested(const Graph& graph, std::string_view owner, const Node& node, CallEffects& effects)
{
    const Called called = calledBy(graph, owner, node);
    if (called.graphs.empty()) {
        const CallEffects& any = effectsOfAny();
        addOthers(any, effects);
        if (any.writesHeld)
            addAllNodes(node, effects.written);
    }
    for (const ModuleId module : called.graphs) {
        const GraphEffects& does = effectsOf(module);
        addOthers(does.effects, effects);
        const bool isMatched = called.hasOperands && called.operands.size() == does.written.size();
        if (!isMatched && std::ranges::find(does.written, 1) != does.written.end())
            addAllNodes(node, effects.written);
        for (std::size_t place = 0; isMatched && place < does.written.size(); ++place)
            if (does.written[place] != 0)
                effects.written.push_back(called.operands[place]);
    }
}

CallEffects EffectFinder::of(const Node& node)
{
    return effectsOf(m_program.rootGraph(), {}, node);
}

CallEffects EffectFinder::of(ModuleId owner, const Node& node)
{
    return effectsOf(m_program.graph(m_program.modules[owner].graph), m_program.modules[owner].path.view(), node);
}

CallEffects EffectFinder::effectsOf(const Graph& graph, std::string_view owner, const Node& node)
{
    CallEffects effects;
    if (!node.isCall())
        return effects;
    if (node.op == Op::callModule)
        addModule(graph, owner, node, effects);
    else
        addFacts(graph, owner, node, effects);
    if (node.meta.mutated) {
        std::vector<NodeId> reads;
        addAllNodes(node, reads);
        for (const std::int32_t position : *node.meta.mutated)
            if (position >= 0 && static_cast<std::size_t>(position) < reads.size())
                effects.written.push_back(reads[static_cast<std::size_t>(position)]);
    }
    return effects;
}

namespace {

bool hasOutput(const Graph& graph)
{
    const auto nodes = graph.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph[id].op == Op::output; });
}

} // namespace

std::vector<char> deadAndAssertNodes(const Program& program, GraphId graphId)
{
    const Graph& graph = program.graph(graphId);
    std::vector<char> found(graph.idBound(), 0);
    if (!hasOutput(graph))
        return found;
    std::vector<NodeId> calls;
    for (const NodeId id : graph.nodes())
        if (graph[id].op == Op::callFunction || graph[id].op == Op::callMethod)
            calls.push_back(id);
    std::vector<char> isUsed(graph.idBound(), 0);
    for (const NodeId id : graph.nodes())
        if (graph[id].op == Op::callModule || graph[id].op == Op::output)
            for (const NodeId input : graph.inputs(id))
                isUsed[input.index()] = 1;
    EffectFinder effects(program);
    std::for_each(calls.rbegin(), calls.rend(), [&](NodeId id) {
        const bool isDeadNode = isUsed[id.index()] == 0 && effects.of(graph[id]).onlyComputes();
        found[id.index()] = isDeadNode ? 1 : 0;
        if (!isDeadNode)
            for (const NodeId input : graph.inputs(id))
                isUsed[input.index()] = 1;
    });
    return found;
}

} // namespace sunder
