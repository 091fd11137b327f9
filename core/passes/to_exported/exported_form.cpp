#include "passes/to_exported/exported_form.h"

#include "ir/forward_inputs.h"
#include "ir/getitem.h"
#include "ir/graph_values.h"
#include "operators/operator_library.h"
#include "passes/building/module_carrier.h"
#include "passes/building/result_program.h"
#include "passes/to_exported/exported_calls.h"
#include "passes/to_exported/value_tree.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

constexpr std::size_t kNodesAQuestion = 1024;

tl::unexpected<Error> refuseNode(const Node& node, const std::string& why)
{
    return fail(ErrorCode::refused, node.name.str() + " " + why, {.node = node.name.str()});
}

InputKind inputKindOf(TensorRole role)
{
    return role == TensorRole::parameter ? InputKind::parameter
        : role == TensorRole::buffer     ? InputKind::buffer
                                         : InputKind::constant;
}

/// Returns e.g. "p_layers_0_weight", torch.export's name for a lifted parameter.
std::string placeholderName(const TensorEntry& entry)
{
    std::string made = std::string(name(entry.role).substr(0, 1)) + "_" + entry.fqn.str();
    std::ranges::replace(made, '.', '_');
    return made;
}

/// Returns whether a node of a nested graph is valid in exported programs without changes.
bool isOperatorOfExports(const Node& node)
{
    if (!node.isCall())
        return true;
    const std::string_view target = node.target.view();
    const bool isTensor = node.meta.val && node.meta.val->is(ArgumentKind::tensor);
    return node.op == Op::callFunction
        && (isRegisteredOperator(target) || isHigherOrderTarget(target) || isGetitem(node)
            || (isSymbolicTarget(target) && !isTensor));
}

class ExportedFormBuilder {
public:
    ExportedFormBuilder(const Program& source, ProgressMonitor& monitor)
        : m_source(source), m_from(source.rootGraph()), m_monitor(monitor),
          m_form{.program = emptyResult(source), .map = {}, .notes = {}}, m_carrier(source, m_form.program, m_form.map),
          m_standIns(m_from.idBound()), m_calls(source, m_graph, m_names, m_standIns)
    {
        Program& program = m_form.program;
        program.origin = source.origin;
        program.tags = source.tags;
        program.modules[ModuleTree::root()].cls = source.modules[ModuleTree::root()].cls;
        program.addGraph(ModuleTree::root());
        m_names.reserve(m_from.size());
        for (const NodeId id : m_from.nodes())
            m_names.use(m_from.node(id).name);
    }

    /// Collects up to `limit` refusals: treats refused nodes as inputs and continues.
    void collectRefusals(std::vector<Error>& into, std::size_t limit)
    {
        m_refusals = &into;
        m_mostRefusals = limit;
    }

    Result<ExportedForm> build()
    {
        liftTensors();
        for (const NodeId id : m_from.nodes())
            if (m_from.node(id).op == Op::placeholder)
                SUNDER_PROPAGATE(passOver(id, addInput(id)));
        std::size_t count = 0;
        for (const NodeId id : m_from.nodes()) {
            if (count++ % kNodesAQuestion == 0) {
                m_monitor.report(static_cast<double>(count) / static_cast<double>(m_from.size()), "Lifting weights");
                SUNDER_PROPAGATE(m_monitor.check());
            }
            SUNDER_PROPAGATE(passOver(id, addNode(id)));
        }
        SUNDER_PROPAGATE(passOver({}, addNestedGraphs()));
        m_form.program.signature = std::move(m_signature);
        m_form.program.calls.push_back(std::move(m_whole));
        m_form.map.finish();
        return std::move(m_form);
    }

private:
    Result<void> passOver(NodeId id, Result<void> done)
    {
        if (done || m_refusals == nullptr || done.error().code != ErrorCode::refused || m_refusals->size() >= m_mostRefusals)
            return done;
        m_refusals->push_back(done.error());
        if (!id || m_from.node(id).op == Op::output)
            return {};
        NodeSpec spec{.op = Op::placeholder, .name = m_from.node(id).name, .target = m_from.node(id).name};
        spec.meta.val = m_from.node(id).meta.val;
        m_standIns[id.index()] = Argument::node(m_graph.append(std::move(spec)));
        return {};
    }

    /// Lifts all parameters and buffers, and constants that are read. Parameters come first, then buffers, then constants, each
    /// in file order.
    void liftTensors()
    {
        std::unordered_map<InternedString, NodeId> readBy;
        for (const NodeId id : m_from.nodes())
            if (m_from.node(id).op == Op::getAttr)
                if (const TensorId tensor = m_source.tensorAt(m_from.node(id).target); tensor)
                    readBy.try_emplace(m_source.tensors[tensor].fqn, id);
        for (const TensorRole role : {TensorRole::parameter, TensorRole::buffer, TensorRole::constant})
            for (std::size_t i = 0; i < m_source.tensors.size(); ++i) {
                const TensorEntry& entry = m_source.tensors[TensorId(i)];
                const auto reader = readBy.find(entry.fqn);
                const bool isRead = reader != readBy.end();
                if (entry.role == role && (isRead || role != TensorRole::constant) && !m_lifted.contains(entry.fqn))
                    lift(TensorId(i), isRead ? m_from.node(reader->second).name : InternedString());
            }
    }

    void lift(TensorId id, InternedString name)
    {
        const TensorEntry& entry = m_source.tensors[id];
        const TensorEntry& facts = m_source.tensors[m_source.tensors.object(id)];
        NodeSpec spec{.op = Op::placeholder, .name = name.empty() ? m_names.create(placeholderName(entry)) : name};
        spec.target = spec.name;
        spec.meta.val = Argument::tensor(facts.meta);
        InputSpec input{.kind = inputKindOf(entry.role), .target = entry.fqn, .name = spec.name};
        if (entry.role == TensorRole::buffer)
            input.persistent = entry.persistent.value_or(facts.persistent.value_or(true));
        m_signature.inputs.push_back(std::move(input));
        m_lifted.emplace(entry.fqn, m_graph.append(std::move(spec)));
        m_carrier.carryTensor(id);
    }

    Result<void> addInput(NodeId id)
    {
        const Node& node = m_from.node(id);
        if (node.target.view().starts_with('*'))
            return refuseNode(node, "takes a variable number of inputs, but an exported program takes a fixed number");
        if (!node.meta.val)
            return refuseNode(node,
                              "is an input without a value (\"val\") in the file, but an exported program needs one for each "
                              "input; run torch.fx.passes.shape_prop.ShapeProp, and save the program again");
        if (!node.args.empty())
            m_form.notes.push_back("input " + node.name.str() + " is now required, because its default value is not kept");
        m_standIns[id.index()] = mapLeaves(*node.meta.val, node.name.str(), [&](const Argument& val, const std::string& path) {
            return addLeaf(node, val, path == node.name.view(), path);
        });
        m_whole.argNames->push_back(node.target);
        m_inputs.push_back(m_standIns[id.index()]);
        return {};
    }

    Argument addLeaf(const Node& node, const Argument& val, bool isWhole, const std::string& path)
    {
        NodeSpec spec{.op = Op::placeholder, .name = isWhole ? node.name : m_names.create(path), .type = node.type};
        spec.target = spec.name;
        spec.meta = node.meta;
        spec.meta.val = val;
        const Argument leaf = Argument::node(m_graph.append(std::move(spec)));
        const bool varies = val.is(ArgumentKind::tensor) || val.is(ArgumentKind::symbolic);
        if (!varies)
            m_form.notes.push_back("input " + path + " always has its value from the example");
        m_signature.inputs.push_back({.kind = InputKind::user, .value = varies ? leaf : val});
        return leaf;
    }

    Result<void> addNode(NodeId id)
    {
        const Node& node = m_from.node(id);
        switch (node.op) {
        case Op::placeholder: break;
        case Op::getAttr: SUNDER_PROPAGATE(addRead(id)); break;
        case Op::callModule: {
            const ModuleId module = m_source.modules.resolve(node.target.view());
            const std::string cls = module ? m_source.modules[module].cls.str() : std::string();
            return refuseNode(node,
                              "calls module " + node.target.str() + (cls.empty() ? "" : " (class " + cls + ")")
                                  + ", but an exported program has only operators; trace with make_fx or torch.export, which "
                                    "trace through modules");
        }
        case Op::output: return addOutput(id);
        default: SUNDER_PROPAGATE(m_calls.add(id));
        }
        if (m_standIns[id.index()].is(ArgumentKind::node))
            m_form.map.add({m_source.root, id}, {m_form.program.root, m_standIns[id.index()].asNode()});
        return {};
    }

    /// Replaces a tensor by its lifted input; a graph used by an operator stays an attribute.
    Result<void> addRead(NodeId id)
    {
        const Node& node = m_from.node(id);
        if (const TensorId tensor = m_source.tensorAt(node.target); tensor) {
            m_standIns[id.index()] = Argument::node(m_lifted.at(m_source.tensors[tensor].fqn));
            return {};
        }
        const ModuleId module = m_source.modules.resolve(node.target.view());
        if (!module || !m_source.modules[module].graph)
            return refuseNode(node, "reads " + node.target.str() + ", whose value the file does not record");
        m_standIns[id.index()] = Argument::node(
            m_graph.append({.op = Op::getAttr, .name = node.name, .target = node.target, .fn = node.fn, .meta = node.meta}));
        return {};
    }

    Result<void> addOutput(NodeId id)
    {
        const Node& node = m_from.node(id);
        Result<Argument> value = m_calls.translate(node.args.empty() ? Argument() : node.args[0]);
        if (!value)
            return refuseNode(node, value.error().message);
        Arguments leaves;
        std::string unknown;
        forEachLeaf(*value, [&](const Argument& leaf) {
            leaves.push_back(leaf);
            m_signature.outputs.push_back({.kind = OutputKind::user, .value = leaf});
            if (leaf.isCompound())
                unknown = "returns a container of a kind that an exported program cannot flatten";
        });
        if (!unknown.empty())
            return refuseNode(node, unknown);
        describeCall(*value, leaves);
        const NodeId output = m_graph.append({.op = Op::output,
                                              .name = node.name,
                                              .target = node.target,
                                              .args = {Argument::tuple(std::move(leaves))},
                                              .meta = node.meta});
        m_form.map.add({m_source.root, id}, {m_form.program.root, output});
        return {};
    }

    /// Creates the root entry of the module call graph.
    void describeCall(const Argument& result, const Arguments& leaves)
    {
        TreeSpec inputs = TreeSpec::argumentsOf(0);
        for (const Argument& input : m_inputs) {
            inputs.children[0].children.push_back(treeSpecOf(input));
            forEachLeaf(input, [this](const Argument& leaf) { m_whole.inputs.push_back(leaf); });
        }
        m_whole.inSpec = StoredTreeSpec(inputs);
        m_whole.outSpec = StoredTreeSpec(treeSpecOf(result));
        m_whole.outputs = leaves;
        if (const ModuleCall* whole = nestingOf(m_source, m_whole.inputs.size(), m_whole.outputs.size())) {
            m_whole.inSpec = whole->inSpec;
            m_whole.outSpec = whole->outSpec;
            m_whole.argNames = whole->argNames;
        }
    }

    /// Copies graphs of control flow; their calls must already be operators.
    Result<void> addNestedGraphs()
    {
        m_carrier.carryTargets(m_graph, ModuleTree::root());
        if (holdsGraphs(m_graph)) // must precede the move into the program, whose graphs move when others are added
            renumberGraphs(m_graph, [this](GraphId id) { return m_carrier.carryGraph(id); });
        m_form.program.rootGraph() = std::move(m_graph);
        m_carrier.finish();
        const Program& program = m_form.program;
        for (const Graph& graph : program.graphs) {
            if (&graph == &program.rootGraph())
                continue;
            for (const NodeId id : graph.nodes()) {
                const Node& node = graph.node(id);
                const ModuleId module = node.op == Op::getAttr ? program.modules.resolve(node.target.view()) : ModuleId();
                if (node.op == Op::getAttr && !(module && program.modules[module].graph) && program.tensorAt(node.target))
                    return refuseNode(
                        node,
                        "reads the tensor " + node.target.str()
                            + " in a nested graph, but an exported program passes tensors to nested graphs as inputs");
                if (!isOperatorOfExports(node))
                    return refuseNode(
                        node,
                        "calls " + node.target.str()
                            + " in a nested graph, but it is not an operator, and an exported program has only operators");
            }
        }
        return {};
    }

    const Program& m_source;
    const Graph& m_from;
    ProgressMonitor& m_monitor;
    ExportedForm m_form;
    Graph m_graph;
    Namespace m_names;
    ExportSignature m_signature;
    ModuleCall m_whole{.hasSignature = true, .argNames = std::vector<InternedString>()};
    ModuleCarrier m_carrier;
    std::unordered_map<InternedString, NodeId> m_lifted; ///< by tensor name
    std::vector<Argument> m_standIns; ///< per node of the source: its counterpart
    Arguments m_inputs; ///< inputs of the call, as trees of their leaves
    ExportedCalls m_calls;
    std::vector<Error>* m_refusals = nullptr; ///< set if refusals are collected
    std::size_t m_mostRefusals = 0;
};

} // namespace

Result<ExportedForm> exportedForm(const Program& source, ProgressMonitor& monitor)
{
    if (source.signature)
        return ExportedForm{.program = source, .map = {}, .notes = {}};
    if (!source.root)
        return fail(ErrorCode::refused, "has no graph");
    return ExportedFormBuilder(source, monitor).build();
}

Result<std::vector<Error>> exportedFormRefusals(const Program& source, std::size_t limit, ProgressMonitor& monitor)
{
    std::vector<Error> found;
    if (source.signature || !source.root)
        return found;
    ExportedFormBuilder builder(source, monitor);
    builder.collectRefusals(found, limit);
    Result<ExportedForm> form = builder.build();
    if (form)
        return found;
    if (form.error().code != ErrorCode::refused)
        SUNDER_PROPAGATE(std::move(form));
    if (found.size() < limit)
        found.push_back(form.error());
    return found;
}

} // namespace sunder
