#include "verify/trace_builder.h"

#include "ir/getitem.h"
#include "verify/kept_casts.h"

#include <array>
#include <utility>

namespace sunder {

TraceBuilder::TraceBuilder(const Program& program, Side side, TraceContext& context, StepMonitor& progress)
    : m_progress(progress), m_draft(program, side, context), m_calledUnder(program.graphs.size())
{
}

Result<Trace> TraceBuilder::build()
{
    SUNDER_PROPAGATE(run());
    if (const std::optional<NodeRef> write = writeToKeptCast(m_draft.trace, m_draft.terms, m_draft.context.mapping))
        m_draft.setUndecided(*write, "it writes to a tensor whose cast may be in the cache of autocast");
    for (const auto& [module, calls] : m_calls) // in the next run, a dispatcher continues where it stopped
        if (calls % m_draft.program.modules[module].calls->size() != 0)
            m_draft.setUndecided({m_draft.program.root, {}},
                                 "a module with several graphs starts the next run with a different one");
    m_draft.trace.finalState = m_draft.state.term();
    m_draft.trace.finalGradientState = m_draft.state.gradientTerm();
    return std::move(m_draft.trace);
}

Result<void> TraceBuilder::run()
{
    SymbolMapping& same = m_draft.context.mapping;
    std::vector<ValueId> inputs;
    std::unordered_map<std::uint32_t, std::uint32_t> groups;
    for (const InputSlot& slot : same.inputs(m_draft.side)) {
        if (slot.kind == InputSlot::Kind::tensor) {
            const TensorId found = m_draft.program.tensors.find(slot.fqn);
            inputs.push_back(
                found.isValid() ? m_attributes.tensor(found)
                                : m_draft.unknown({m_draft.program.root, {}},
                                                  "the signature names " + slot.fqn.str() + ", which the program does not have"));
            continue;
        }
        if (slot.kind == InputSlot::Kind::token) {
            inputs.push_back(m_draft.constant(m_draft.terms.literal(Argument())));
            continue;
        }
        if (slot.kind == InputSlot::Kind::object) {
            const InternedString path = same.attributePath(m_draft.side, slot.fqn.view());
            m_draft.terms.learn(path);
            inputs.push_back(m_draft.leaf(m_draft.terms.make({.kind = TermKind::attribute, .head = path.id()})));
            m_draft.trace.roots.push_back(inputs.back());
            continue;
        }
        inputs.push_back(m_draft.leaf(same.input(slot.index)));
        m_draft.trace.roots.push_back(inputs.back());
        if (!m_draft.context.followMemory)
            continue;
        const std::uint32_t region = m_draft.at(inputs.back()).region;
        const auto [place, isNew] = groups.emplace(same.inputGroups()[slot.index], region);
        if (!isNew)
            m_draft.trace.regions.merge(place->second, region);
    }
    SUNDER_TRY(m_draft.trace.output, runGraph(m_draft.program.root, ModuleTree::root(), std::move(inputs), 0, true));
    return {};
}

Result<ValueId> TraceBuilder::runGraph(GraphId graphId, ModuleId module, std::vector<ValueId> inputs, std::uint32_t depth,
                                       bool described)
{
    const Graph& graph = m_draft.program.graph(graphId);
    if (depth > m_draft.context.options.maxCallDepth)
        return m_draft.unknown({graphId, graph.first()}, "calls are nested too deeply");
    m_draft.work += graph.idBound();
    if (m_draft.isTooLarge())
        return m_draft.unknown({graphId, graph.first()}, "the program is too large once every called graph is inlined");
    TermId& calledUnder = m_calledUnder[graphId.index()];
    const bool again = calledUnder.isValid();
    m_draft.trace.severalStates = m_draft.trace.severalStates || (again && calledUnder != m_draft.state.term());
    calledUnder = m_draft.state.term();
    TraceFrame frame{graphId,
                     module,
                     std::vector<ValueId>(graph.idBound()),
                     {},
                     depth,
                     again,
                     described && (depth == 0 || m_draft.context.assume.recordedCalls)};
    std::size_t nextInput = 0;
    for (const NodeId id : graph.nodes()) {
        if (graph.node(id).op == Op::output) {
            if (depth == 0)
                m_draft.trace.outputNode = {graphId, id};
            const Arguments& args = graph.node(id).args;
            return args.empty() ? m_draft.constant(m_draft.terms.literal(Argument())) : m_arguments.valueOf(frame, args.front());
        }
        SUNDER_PROPAGATE(runNode(frame, id, inputs, nextInput));
        SUNDER_PROPAGATE(m_progress.step());
        if (m_draft.isTooLarge())
            return m_draft.unknown({graphId, id}, "the program is too large once every called graph is inlined");
    }
    return m_draft.unknown({graphId, graph.last()}, "a graph has no output");
}

Result<void> TraceBuilder::runNode(TraceFrame& frame, NodeId id, std::span<const ValueId> inputs, std::size_t& nextInput)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    ValueId& value = frame.values[id.index()];
    const TraceMemory::Alignment how = frame.again ? TraceMemory::Alignment::distrust : TraceMemory::Alignment::merge;
    switch (node.op) {
    case Op::placeholder:
        value = placeholder(frame, node, inputs, nextInput);
        if (node.meta.val)
            m_memory.alignWith(frame, value, *node.meta.val, how);
        break;
    case Op::getAttr:
        value = m_attributes.attribute(frame, id);
        if (node.meta.val)
            m_memory.alignWith(frame, value, *node.meta.val, how);
        break;
    case Op::callModule: {
        SUNDER_TRY(value, callModule(frame, id));
        break;
    }
    default: {
        SUNDER_TRY(value, callFunction(frame, id));
        break;
    }
    }
    m_descriptions.checkDescription(frame, node, value);
    return {};
}

ValueId TraceBuilder::placeholder(TraceFrame& frame, const Node& node, std::span<const ValueId> inputs, std::size_t& nextInput)
{
    if (frame.depth > 0 && node.target.view().starts_with('*'))
        return m_draft.unknown({frame.graph, {}}, node.name.str() + " takes a variable number of arguments");
    if (nextInput < inputs.size() && inputs[nextInput].isValid())
        return inputs[nextInput++];
    ++nextInput;
    if (!node.args.empty())
        return defaultValue(frame, node.args.front());
    return m_draft.unknown({frame.graph, {}}, node.name.str() + " gets no value");
}

/// Python creates a default value once, for all calls of the graph.
ValueId TraceBuilder::defaultValue(TraceFrame& frame, const Argument& argument)
{
    const ValueId value = m_arguments.valueOf(frame, argument);
    m_containers.handOut(value);
    return value;
}

Result<ValueId> TraceBuilder::callModule(TraceFrame& frame, NodeId id)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const ModuleId module = m_attributes.findModule(frame.module, node.target);
    const TracedCall call = m_arguments.ofModule(frame, node);
    if (!module.isValid())
        return m_draft.unknown({frame.graph, id}, "there is no module " + node.target.str());
    const Module& called = m_draft.program.modules[module];
    if (called.calls && !called.calls->empty()) {
        const std::uint32_t number = m_calls[module]++;
        return callGraph(frame, id, (*called.calls)[number % called.calls->size()], module, call);
    }
    if (called.graph.isValid())
        return callGraph(frame, id, called.graph, module, call);
    return leafModule(frame, id, module, call);
}

Result<ValueId> TraceBuilder::callGraph(TraceFrame& frame, NodeId id, GraphId graphId, ModuleId module, const TracedCall& call)
{
    const Graph& graph = m_draft.program.graph(graphId);
    std::vector<ValueId> inputs = call.positional;
    std::size_t placeholders = 0;
    std::size_t used = 0;
    for (const NodeId input : graph.nodes()) {
        const Node& node = graph.node(input);
        if (node.op != Op::placeholder)
            continue;
        if (node.target.view().starts_with('*'))
            return m_draft.unknown({frame.graph, id}, "the called graph takes a variable number of arguments");
        if (placeholders++ < call.positional.size())
            continue;
        inputs.push_back(call.keyword(node.target.view()));
        used += inputs.back().isValid() ? 1 : 0;
    }
    if (inputs.size() != placeholders || used != call.keywords.size())
        return m_draft.unknown({frame.graph, id}, "the arguments do not match the called graph");
    const bool described = frame.described && !m_draft.context.reshapes; // a description holds when the value is created
    SUNDER_TRY(const ValueId result, runGraph(graphId, module, std::move(inputs), frame.depth + 1, described));
    m_memory.alignKnown(frame, id, result);
    return result;
}

Result<ValueId> TraceBuilder::callFunction(TraceFrame& frame, NodeId id)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const OperatorFacts& facts = m_draft.context.operators.of(node);
    const TracedCall call = m_arguments.ofFunction(frame, node, facts);
    switch (facts.role) {
    case CallRole::enter: return enterRegion(frame, id, facts, call);
    case CallRole::leave: leaveRegion(frame, id, call); return m_draft.constant(m_draft.terms.literal(Argument()));
    case CallRole::setState: setState(frame, id, facts, call); return m_draft.constant(m_draft.terms.literal(Argument()));
    case CallRole::stir: return stir(frame, id, facts, call);
    case CallRole::invoke: return invoke(frame, id, call);
    case CallRole::gradRegion:
    case CallRole::autocastRegion: return region(frame, id, facts, call);
    case CallRole::closures: return closures(frame, id, facts, call);
    case CallRole::withEffects: return withEffects(frame, id, call);
    case CallRole::undecidable:
        return m_draft.unknown({frame.graph, id}, "it queries the identity or the version counter of a value");
    case CallRole::backward: return backward(frame, id, facts, call);
    default: break;
    }
    std::optional<ValueId> known;
    if (facts.role == CallRole::getItem && call.positional.size() == 2
        && m_draft.at(call.positional[0]).kind == ValueKind::container) {
        known = m_containers.itemOf(m_draft.at(call.positional[0]), m_draft.at(call.positional[1]));
        if (!known && m_containers.lacksItem(m_draft.at(call.positional[0]), m_draft.at(call.positional[1])))
            return m_draft.unknown({frame.graph, id}, "it accesses an item that does not exist, so it fails");
    } else if (facts.role == CallRole::container)
        known = m_containerCalls.make(node.target.view().substr(node.target.view().rfind('.') + 1), call);
    else if (facts.role == CallRole::treeFlatten && call.positional.size() == 2)
        known = flatten(frame, id, call);
    else if (facts.role == CallRole::treeUnflatten && call.positional.size() == 2)
        known = unflatten(call);
    else
        known = m_containerCalls.call(node.target.view(), node.op, call);
    if (known) {
        m_memory.alignKnown(frame, id, *known);
        return *known;
    }
    return primitive(frame, id, facts, call, m_draft.functionTarget(node.target, node.op));
}

TermId TraceBuilder::itemKey(const TreeSpec& spec, std::size_t index)
{
    if (spec.kind == TreeSpec::Kind::dict)
        return m_draft.terms.text(intern(spec.keys[index]));
    return m_draft.terms.integer(static_cast<std::int64_t>(index));
}

bool TraceBuilder::flattenInto(TraceFrame& frame, NodeId id, ValueId value, const TreeSpec& spec, std::vector<ValueId>& leaves)
{
    if (spec.kind == TreeSpec::Kind::leaf) {
        leaves.push_back(value);
        return true;
    }
    for (std::size_t i = 0; i < spec.children.size(); ++i) {
        const ValueId key = m_draft.constant(itemKey(spec, i));
        std::optional<ValueId> item;
        if (m_draft.at(value).kind == ValueKind::container) {
            if (spec.kind != TreeSpec::Kind::dict && m_draft.at(value).itemCount != spec.children.size())
                return false;
            item = m_containers.itemOf(m_draft.at(value), m_draft.at(key));
        } else if (m_draft.at(value).kind == ValueKind::leaf) {
            const TracedCall call{{value, key}, {}};
            item = primitive(frame, id, m_draft.context.operators.of(Op::callFunction, getitemTarget()), call,
                             m_draft.functionTarget(getitemTarget(), Op::callFunction));
        }
        if (!item || !flattenInto(frame, id, *item, spec.children[i], leaves))
            return false;
    }
    return true;
}

std::optional<ValueId> TraceBuilder::flatten(TraceFrame& frame, NodeId id, const TracedCall& call)
{
    const TreeSpec* spec = m_attributes.treeSpec(call.argument(1));
    std::vector<ValueId> leaves;
    if (spec == nullptr || !flattenInto(frame, id, call.positional[0], *spec, leaves))
        return std::nullopt;
    return m_containers.container(m_containers.shapeOf(ArgumentKind::list, {}), leaves);
}

std::optional<ValueId> TraceBuilder::buildTree(const TreeSpec& spec, std::span<const ValueId> leaves, std::size_t& next)
{
    if (spec.kind == TreeSpec::Kind::leaf)
        return next < leaves.size() ? std::optional(leaves[next++]) : std::nullopt;
    std::vector<ValueId> items;
    std::vector<TermId> keys;
    for (std::size_t i = 0; i < spec.children.size(); ++i) {
        const std::optional<ValueId> item = buildTree(spec.children[i], leaves, next);
        if (!item)
            return std::nullopt;
        items.push_back(*item);
        if (spec.kind == TreeSpec::Kind::dict)
            keys.push_back(itemKey(spec, i));
    }
    constexpr std::array kKinds{ArgumentKind::none, ArgumentKind::tuple, ArgumentKind::list, ArgumentKind::dict,
                                ArgumentKind::namedTuple};
    const bool plain = spec.type.starts_with("builtins.");
    return m_containers.container(
        m_containers.shapeOf(kKinds[static_cast<std::size_t>(spec.kind)], plain ? InternedString() : intern(spec.type), keys),
        items);
}

std::optional<ValueId> TraceBuilder::unflatten(const TracedCall& call)
{
    const TreeSpec* spec = m_attributes.treeSpec(call.argument(1));
    if (spec == nullptr || m_draft.at(call.positional[0]).kind != ValueKind::container)
        return std::nullopt;
    const Value given = m_draft.at(call.positional[0]);
    const std::vector<ValueId> leaves(m_draft.trace.items(given).begin(), m_draft.trace.items(given).end());
    std::size_t next = 0;
    const std::optional<ValueId> tree = buildTree(*spec, leaves, next);
    return next == leaves.size() ? tree : std::nullopt;
}

} // namespace sunder
