#include "io/exported_program/exported_program_rebuild.h"

#include "ir/getitem.h"
#include "operators/operator_library.h"
#include "support/progress_monitor.h"

namespace sunder {
namespace {

/// Returns the `__name__` of a callable if it is not the last dotted component: "add.Tensor" for an operator overload.
InternedString callableName(std::string_view target)
{
    if (!isRegisteredOperator(target))
        return {};
    const std::size_t last = target.rfind('.');
    const std::size_t before = target.rfind('.', last - 1);
    return before > 9 ? intern(target.substr(before + 1)) : InternedString();
}

std::string inQuotes(InternedString name)
{
    return "\"" + name.str() + "\"";
}

/// A later graph with the same name replaces an earlier one, as in register_module.
GraphId graphFor(Program& program, ModuleId owner)
{
    const GraphId earlier = program.modules[owner].graph;
    if (!earlier)
        return program.addGraph(owner);
    program.graph(earlier) = Graph();
    return earlier;
}

} // namespace

ExportedGraphRebuild::ExportedGraphRebuild(Program& program, ProgramRecord& record, std::uint32_t graphNumber, ModuleId owner,
                                           ReadFault& fault, ProgressMonitor& monitor)
    : m_program(program), m_record(record), m_source(record.graphs[graphNumber]), m_owner(owner),
      m_graph(graphFor(program, owner)), m_fault(fault), m_monitor(monitor), m_nodes(m_source.names.size())
{
}

NodeId ExportedGraphRebuild::nodeOf(std::uint32_t slot) const
{
    return slot < m_nodes.size() ? m_nodes[slot] : NodeId();
}

void ExportedGraphRebuild::run()
{
    fx().reserve(m_source.nodes.size() + m_source.inputs.size() + 1);
    for (std::size_t i = 0; i < m_source.inputs.size(); ++i)
        addInput(i, m_source.inputs[i]);
    StepMonitor steps(m_monitor);
    for (NodeRecord& node : m_source.nodes) {
        if (const Result<void> going = steps.step(); !going)
            m_fault.report(going.error().message, going.error().code);
        if (m_fault.isReported())
            return;
        addNode(node);
        node = {};
    }
    if (!m_fault.isReported())
        addOutput();
}

void ExportedGraphRebuild::define(std::uint32_t slot, NodeId id)
{
    if (m_nodes[slot])
        m_fault.report("two values are named " + inQuotes(m_source.names[slot]));
    m_nodes[slot] = id;
}

/// Renames a node to the name of its value, regardless of the name it was created with.
void ExportedGraphRebuild::sync(NodeId id, std::uint32_t slot)
{
    const InternedString name = m_source.names[slot];
    if (fx()[id].name != name)
        fx().setName(id, name);
    define(slot, id);
    fx().meta(id).val = m_source.values[slot];
}

void ExportedGraphRebuild::addInput(std::size_t index, const GraphInputRecord& input)
{
    if (input.isNamed) {
        const NodeId id = fx().create({.op = Op::placeholder, .target = m_source.names[input.slot]});
        sync(id, input.slot);
        return;
    }
    InternedString name;
    if (m_graph == m_program.root && index < m_record.constantInputs.size())
        name = m_record.constantInputs[index];
    if (name.empty())
        name = intern("arg" + std::to_string(index));
    const NodeId id = fx().create({.op = Op::placeholder, .target = name});
    if (!input.literal.isNone())
        fx().meta(id).val = input.literal;
}

std::string ExportedGraphRebuild::unknownName(std::uint32_t slot, std::string_view user) const
{
    const std::string name = slot < m_source.names.size() ? inQuotes(m_source.names[slot]) : "a value";
    return std::string(user) + " uses " + name + ", which is neither an input nor the value of an earlier node";
}

Argument ExportedGraphRebuild::resolve(const Argument& argument, std::string_view user)
{
    return mapNodes(argument, [&](NodeId slot) {
        const NodeId id = nodeOf(slot.index());
        if (!id) {
            m_fault.report(unknownName(slot.index(), user));
            return Argument();
        }
        return Argument::node(id);
    });
}

Argument ExportedGraphRebuild::addNestedGraph(std::uint32_t graphNumber, const NodeRecord& user)
{
    const InternedString name = m_record.graphs[graphNumber].name;
    const ModuleId module = m_program.modules.ensure(joinPath(m_program.modules[m_owner].path.view(), name.view()));
    m_program.modules[module].implied = false;
    m_program.modules[module].cls = intern("torch.fx.graph_module.GraphModule");
    ExportedGraphRebuild nested(m_program, m_record, graphNumber, module, m_fault, m_monitor);
    nested.run();
    m_record.graphs[graphNumber] = {};
    NodeSpec spec{.op = Op::getAttr, .name = name, .target = name};
    if (isHigherOrderTarget(user.target.view())) {
        spec.meta = user.meta;
        spec.meta.json = user.sharedJson;
        spec.tag = user.tag;
    }
    return Argument::node(fx().create(std::move(spec)));
}

Argument ExportedGraphRebuild::withGraphs(const Argument& argument, const NodeRecord& user)
{
    if (argument.is(ArgumentKind::graph))
        return addNestedGraph(argument.asGraph().index(), user);
    if (argument.items().empty())
        return resolve(argument, user.target.view());
    Arguments items;
    for (const Argument& item : argument.items())
        items.push_back(withGraphs(item, user));
    return argument.withItems(std::move(items));
}

InternedString ExportedGraphRebuild::candidateOf(const NodeRecord& node) const
{
    if (!node.name.empty())
        return node.name;
    const bool isSingle = node.outputs.size() == 1 && node.outputs.front().kind == OutputRecord::Kind::named;
    if (!isSingle || returnsTuple(node))
        return {};
    return m_source.names[node.outputs.front().slot];
}

/// True for a higher-order operator that returns its single result in a tuple. Files state this from schema 8.7 on; earlier ones
/// write such a result as a list.
bool ExportedGraphRebuild::returnsTuple(const NodeRecord& node) const
{
    if (!isHigherOrderTarget(node.target.view()) || node.outputs.size() != 1
        || node.outputs.front().kind == OutputRecord::Kind::none)
        return false;
    const bool statesSingleResult = m_record.schemaMajor.value_or(8) >= 8 && m_record.schemaMinor >= 7;
    return statesSingleResult && !node.singleResult.value_or(false);
}

void ExportedGraphRebuild::addNode(NodeRecord& node)
{
    const std::string user = node.name.empty() ? node.target.str() : inQuotes(node.name);
    NodeSpec spec{
        .op = Op::callFunction, .name = candidateOf(node), .target = node.target, .fn = callableName(node.target.view())};
    spec.args.reserve(node.args.size());
    spec.kwargs.reserve(node.kwargs.size());
    for (const Argument& argument : node.args)
        spec.args.push_back(node.holdsGraphs ? withGraphs(argument, node) : resolve(argument, user));
    for (const Keyword& keyword : node.kwargs)
        spec.kwargs.push_back({keyword.key, node.holdsGraphs ? withGraphs(keyword.value, node) : resolve(keyword.value, user)});
    if (m_fault.isReported())
        return;
    spec.meta = node.meta;
    spec.tag = node.tag;
    addResults(fx().create(std::move(spec)), node);
}

void ExportedGraphRebuild::addResults(NodeId id, const NodeRecord& node)
{
    using Kind = OutputRecord::Kind;
    if (node.outputs.empty())
        return;
    const OutputRecord& first = node.outputs.front();
    if (node.outputs.size() == 1 && first.kind == Kind::none) {
        const InternedString base = candidateName(Op::callFunction, fx()[id].target, fx()[id].fn);
        const std::string unused = base.str() + "_unused";
        if (fx()[id].name.view() != unused)
            fx().setName(id, fx().names().create(unused));
        return;
    }
    if (node.outputs.size() == 1 && first.kind == Kind::named && !returnsTuple(node))
        return sync(id, first.slot);
    if (node.outputs.size() == 1 && first.kind == Kind::literal) {
        fx().meta(id).val = first.literal;
        return;
    }
    const bool isList = node.outputs.size() == 1 && first.kind == Kind::list;
    Argument val = addGetitems(id, isList ? first.items : node.outputs, node, false);
    fx().meta(id).val = std::move(val);
    const std::uint32_t own = m_source.slotNames.find(fx()[id].name.view(), m_source.names);
    if (own != NameSlots::kNone && !m_nodes[own])
        m_nodes[own] = id;
}

Argument ExportedGraphRebuild::addGetitems(NodeId of, const std::vector<OutputRecord>& outputs, const NodeRecord& node,
                                           bool asList)
{
    Arguments values;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        values.push_back(addGetitem(of, i, outputs[i], node));
    return asList ? Argument::list(std::move(values)) : Argument::tuple(std::move(values));
}

Argument ExportedGraphRebuild::addGetitem(NodeId of, std::size_t index, const OutputRecord& output, const NodeRecord& node)
{
    using Kind = OutputRecord::Kind;
    if (output.kind == Kind::none) {
        createGetitem(of, index, intern("as_none"), node);
        return {};
    }
    if (output.kind == Kind::literal)
        return output.literal;
    if (output.kind == Kind::list) {
        const NodeId list = createGetitem(of, index, {}, node);
        Argument val = addGetitems(list, output.items, node, true);
        fx().meta(list).val = val;
        return val;
    }
    const NodeId item = createGetitem(of, index, m_source.names[output.slot], node);
    sync(item, output.slot);
    return m_source.values[output.slot].value_or(Argument());
}

NodeId ExportedGraphRebuild::createGetitem(NodeId of, std::size_t index, InternedString name, const NodeRecord& node)
{
    NodeSpec spec = getitemSpec(of, index);
    spec.name = name;
    spec.meta = node.meta;
    spec.meta.json = node.sharedJson;
    spec.tag = node.tag;
    return fx().create(std::move(spec));
}

void ExportedGraphRebuild::addOutput()
{
    static const InternedString kOutput = intern("output");
    Arguments results;
    Arguments values;
    for (const Argument& output : m_source.outputs) {
        results.push_back(resolve(output, "the output"));
        const Argument& result = results.back();
        if (m_fault.isReported())
            return;
        const bool isNode = result.is(ArgumentKind::node);
        values.push_back(isNode ? fx()[result.asNode()].meta.val.value_or(Argument()) : result);
    }
    NodeSpec spec{.op = Op::output, .target = kOutput};
    if (m_source.singleResult && results.size() == 1) {
        spec.args.push_back(results.front());
        spec.meta.val = values.front();
    } else {
        spec.args.push_back(Argument::tuple(std::move(results)));
        spec.meta.val = Argument::tuple(std::move(values));
    }
    fx().create(std::move(spec));
}

} // namespace sunder
