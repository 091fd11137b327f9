#include "verify/trace_builder.h"

#include "ir/interned_path.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

constexpr std::string_view kTreeSpecClass = "torch.utils._pytree.TreeSpec";

std::uint64_t sizeOf(const Argument& argument)
{
    std::uint64_t size = 1;
    for (const Argument& item : argument.items())
        size += sizeOf(item);
    return size;
}

/// Nodes and arguments, each as often as the file has it.
std::uint64_t sizeOf(const Program& program)
{
    std::uint64_t size = program.tensors.size();
    for (const Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes()) {
            ++size;
            for (const Argument& argument : graph.node(id).args)
                size += sizeOf(argument);
            for (const Keyword& keyword : graph.node(id).kwargs)
                size += sizeOf(keyword.value);
        }
    return size;
}

} // namespace

ValueId TraceBuilder::Call::keyword(std::string_view name) const
{
    constexpr std::size_t kFew = 16;
    if (isSorted && keywords.size() > kFew) {
        const auto found = std::ranges::lower_bound(keywords, name, {}, [](const auto& keyword) { return keyword.first.view(); });
        return found != keywords.end() && found->first.view() == name ? found->second : ValueId();
    }
    for (const auto& [key, value] : keywords)
        if (key.view() == name)
            return value;
    return {};
}

TraceBuilder::TraceBuilder(const Program& program, Side side, TraceContext& context, Pulse& pulse)
    : m_program(program), m_side(side), m_context(context), m_pulse(pulse), m_terms(context.terms),
      m_tensors(program.tensors.size()), m_calledUnder(program.graphs.size())
{
    m_mostValues = context.options.maxValues + 8 * sizeOf(program);
    for (std::size_t i = 0; i < program.tensors.size(); ++i) {
        const InternedString name = program.tensors[TensorId(i)].fqn;
        const TensorId found = program.tensors.find(name); // there is none for an empty name
        if (!found.isValid() || program.tensors.object(found) != program.tensors.object(TensorId(i)))
            m_ambiguous.insert(name);
    }
}

Trace TraceBuilder::build()
{
    run();
    m_trace.finalState = m_state.term();
    m_trace.finalGradientState = m_state.gradientTerm();
    return std::move(m_trace);
}

void TraceBuilder::run()
{
    Correspondence& same = m_context.correspondence;
    std::vector<ValueId> inputs;
    std::unordered_map<std::uint32_t, std::uint32_t> groups;
    for (const InputSlot& slot : same.inputs(m_side)) {
        if (slot.kind == InputSlot::Kind::tensor) {
            const TensorId found = m_program.tensors.find(slot.fqn);
            inputs.push_back(found.isValid()
                                 ? tensor(found)
                                 : unknown({m_program.root, {}},
                                           "the signature names " + slot.fqn.str() + ", which the program does not hold"));
            continue;
        }
        if (slot.kind == InputSlot::Kind::token) {
            inputs.push_back(constant(m_terms.literal(Argument())));
            continue;
        }
        if (slot.kind == InputSlot::Kind::object) {
            const InternedString path = same.attributePath(m_side, slot.fqn.view());
            m_terms.learn(path);
            inputs.push_back(leaf(m_terms.make({.kind = TermKind::attribute, .head = path.id()})));
            m_trace.roots.push_back(inputs.back());
            continue;
        }
        inputs.push_back(leaf(same.input(slot.index)));
        m_trace.roots.push_back(inputs.back());
        if (!m_context.followMemory)
            continue;
        const std::uint32_t region = at(inputs.back()).region;
        const auto [place, isNew] = groups.emplace(same.inputGroups()[slot.index], region);
        if (!isNew)
            m_trace.regions.merge(place->second, region);
    }
    m_trace.output = runGraph(m_program.root, ModuleTree::root(), std::move(inputs), 0, true);
}

bool TraceBuilder::isTooLarge() const
{
    return m_steps > m_context.options.maxSteps || m_trace.values.size() + m_trace.operands.size() > m_mostValues;
}

ValueId TraceBuilder::runGraph(GraphId graphId, ModuleId module, std::vector<ValueId> inputs, std::uint32_t depth, bool described)
{
    const Graph& graph = m_program.graph(graphId);
    if (depth > m_context.options.maxCallDepth)
        return unknown({graphId, graph.first()}, "calls are nested too deep");
    m_steps += graph.idBound();
    if (isTooLarge() || m_pulse.isCancelled())
        return unknown({graphId, graph.first()},
                       "written out, with every graph as often as it is called, the program is too large to follow");
    TermId& calledUnder = m_calledUnder[graphId.index()];
    const bool again = calledUnder.isValid();
    m_trace.severalStates = m_trace.severalStates || (again && calledUnder != m_state.term());
    calledUnder = m_state.term();
    Frame frame{graphId,
                module,
                std::vector<ValueId>(graph.idBound()),
                {},
                depth,
                again,
                described && (depth == 0 || m_context.believesCalls)};
    std::size_t nextInput = 0;
    for (const NodeId id : graph.nodes()) {
        if (graph.node(id).op == Op::output) {
            if (depth == 0)
                m_trace.outputNode = {graphId, id};
            const Arguments& args = graph.node(id).args;
            return args.empty() ? constant(m_terms.literal(Argument())) : valueOf(frame, args.front());
        }
        runNode(frame, id, inputs, nextInput);
        if (isTooLarge() || !m_pulse.beat())
            return unknown({graphId, id},
                           "written out, with every graph as often as it is called, the program is too large to follow");
    }
    return unknown({graphId, graph.last()}, "a graph has no output");
}

void TraceBuilder::runNode(Frame& frame, NodeId id, std::span<const ValueId> inputs, std::size_t& nextInput)
{
    const Node& node = m_program.graph(frame.graph).node(id);
    ValueId& value = frame.values[id.index()];
    const Alignment how = frame.again ? Alignment::distrust : Alignment::merge;
    switch (node.op) {
    case Op::placeholder:
        value = placeholder(frame, node, inputs, nextInput);
        if (node.meta.val)
            alignWith(frame, value, *node.meta.val, how);
        break;
    case Op::getAttr:
        value = attribute(frame, id);
        if (node.meta.val)
            alignWith(frame, value, *node.meta.val, how);
        break;
    case Op::callModule: value = callModule(frame, id); break;
    default: value = callFunction(frame, id); break;
    }
    checkDescription(frame, node, value);
}

ValueId TraceBuilder::placeholder(Frame& frame, const Node& node, std::span<const ValueId> inputs, std::size_t& nextInput)
{
    if (nextInput < inputs.size() && inputs[nextInput].isValid())
        return inputs[nextInput++];
    ++nextInput;
    if (!node.args.empty())
        return valueOf(frame, node.args.front());
    return unknown({frame.graph, {}}, node.name.str() + " is not given a value");
}

ModuleId TraceBuilder::findModule(ModuleId module, InternedString target) const
{
    return m_program.modules.resolve(joinPath(m_program.modules[module].path.view(), target.view()));
}

ValueId TraceBuilder::tensor(TensorId id)
{
    const TensorId object = m_program.tensors.object(id);
    ValueId& known = m_tensors[object.index()];
    if (known.isValid())
        return known;
    Correspondence& same = m_context.correspondence;
    const TermId term = same.tensor(m_side, object);
    std::uint32_t region = 0;
    if (m_context.followMemory) {
        const bool isKnown = same.knowsMemory(m_side);
        const auto [place, isNew] = m_storages.emplace(isKnown ? same.storage(m_side, object) : kSeveral, 0);
        if (isNew)
            place->second = m_trace.regions.add(0);
        region = place->second;
        if (!isKnown)
            m_trace.unknownMemory = region;
    }
    known = add({.kind = ValueKind::leaf, .term = term, .region = region});
    m_trace.roots.push_back(known);
    return known;
}

ValueId TraceBuilder::attribute(Frame& frame, NodeId id)
{
    const Node& node = m_program.graph(frame.graph).node(id);
    const std::string_view owner = m_program.modules[frame.module].path.view();
    if (const TensorId found = m_program.tensorAt(internPath(owner, node.target.view())); found.isValid()) {
        if (m_ambiguous.contains(m_program.tensors[found].fqn))
            return unknown({frame.graph, id}, "two tensors are called " + m_program.tensors[found].fqn.str());
        return tensor(found);
    }
    if (const ModuleId module = findModule(frame.module, node.target); module.isValid()) {
        const Module& found = m_program.modules[module];
        if (found.graph.isValid())
            return add({.kind = ValueKind::graph, .reference = found.graph.index(), .module = module});
        return leaf(m_terms.make({.kind = TermKind::module, .head = found.cls.id()},
                                 {m_terms.text(m_context.correspondence.modulePath(m_side, module))}));
    }
    if (node.meta.val && node.meta.val->is(ArgumentKind::opaque) && node.meta.val->className().view() == kTreeSpecClass) {
        const TermId text = m_terms.literal(*node.meta.val);
        std::optional<TreeSpec> spec = TreeSpec::parse(node.meta.val->text().view());
        if (spec && !spec->isKnown())
            spec.reset();
        m_specs.try_emplace(text.index(), std::move(spec));
        return constant(text);
    }
    const std::string path = joinPath(m_program.modules[frame.module].path.view(), node.target.view());
    const InternedString known = m_context.correspondence.attributePath(m_side, path);
    m_terms.learn(known);
    return leaf(m_terms.make({.kind = TermKind::attribute, .head = known.id()}));
}

ValueId TraceBuilder::callModule(Frame& frame, NodeId id)
{
    const Node& node = m_program.graph(frame.graph).node(id);
    const ModuleId module = findModule(frame.module, node.target);
    const Call call = callOf(frame, node, true);
    if (!module.isValid())
        return unknown({frame.graph, id}, "there is no module " + node.target.str());
    const Module& called = m_program.modules[module];
    if (called.calls && !called.calls->empty()) {
        const std::uint32_t number = m_calls[module]++;
        return callGraph(frame, id, (*called.calls)[number % called.calls->size()], module, call);
    }
    if (called.graph.isValid())
        return callGraph(frame, id, called.graph, module, call);
    return leafModule(frame, id, module, call);
}

ValueId TraceBuilder::callGraph(Frame& frame, NodeId id, GraphId graphId, ModuleId module, const Call& call)
{
    const Graph& graph = m_program.graph(graphId);
    std::vector<ValueId> inputs = call.positional;
    std::size_t placeholders = 0;
    std::size_t used = 0;
    for (const NodeId input : graph.nodes()) {
        const Node& node = graph.node(input);
        if (node.op != Op::placeholder)
            continue;
        if (node.target.view().starts_with('*'))
            return unknown({frame.graph, id}, "the graph that it calls takes any number of arguments");
        if (placeholders++ < call.positional.size())
            continue;
        inputs.push_back(call.keyword(node.target.view()));
        used += inputs.back().isValid() ? 1 : 0;
    }
    if (inputs.size() != placeholders || used != call.keywords.size())
        return unknown({frame.graph, id}, "the arguments do not fit the graph that it calls");
    const bool described = frame.described && !m_context.reshapes; // a description is that of a value when it is made
    const ValueId result = runGraph(graphId, module, std::move(inputs), frame.depth + 1, described);
    alignKnown(frame, id, result);
    return result;
}

ValueId TraceBuilder::callFunction(Frame& frame, NodeId id)
{
    const Node& node = m_program.graph(frame.graph).node(id);
    const OperatorFacts& facts = m_context.operators.of(node.op, node.target);
    const Call call = callOf(frame, node, !facts.ordersKeywords);
    switch (facts.role) {
    case CallRole::enter: return enterRegion(frame, id, facts, call);
    case CallRole::leave: leaveRegion(frame, id, call); return constant(m_terms.literal(Argument()));
    case CallRole::setState: setState(frame, id, facts, call); return constant(m_terms.literal(Argument()));
    case CallRole::stir: return stir(frame, id, facts, call);
    case CallRole::invoke: return invoke(frame, id, call);
    case CallRole::gradRegion:
    case CallRole::autocastRegion: return region(frame, id, facts, call);
    case CallRole::closures: return closures(frame, id, facts, call);
    case CallRole::withEffects: return withEffects(frame, id, call);
    case CallRole::undecidable: return unknown({frame.graph, id}, "it asks whether two objects are the same one");
    default: break;
    }
    std::optional<ValueId> known;
    if (facts.role == CallRole::getItem && call.positional.size() == 2 && at(call.positional[0]).kind == ValueKind::container)
        known = itemOf(at(call.positional[0]), at(call.positional[1]));
    else if (facts.role == CallRole::container)
        known = pythonContainer(node.target.view().substr(node.target.view().rfind('.') + 1), call);
    else if (facts.role == CallRole::treeFlatten && call.positional.size() == 2)
        known = flatten(frame, id, call);
    else if (facts.role == CallRole::treeUnflatten && call.positional.size() == 2)
        known = unflatten(call);
    if (known) {
        alignKnown(frame, id, *known);
        return *known;
    }
    return primitive(frame, id, facts, call, functionTarget(node.target, node.op));
}

} // namespace sunder
