#include "parts/part_programs.h"

#include "ir/forward_inputs.h"
#include "ir/graph_values.h"
#include "ir/program.h"
#include "parts/boundary_symbols.h"
#include "passes/building/module_carrier.h"
#include "passes/building/result_program.h"
#include "passes/building/subgraph_builder.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>
#include <vector>

namespace sunder {
namespace {

class SymbolCollector {
public:
    void addValue(const Argument& value)
    {
        if (value.is(ArgumentKind::symbolic))
            addExpression(value.asSymbolic().expression);
        else if (value.is(ArgumentKind::tensor))
            addTensor(value.asTensor());
        for (const Argument& item : value.items())
            addValue(item);
    }

    [[nodiscard]] bool contains(InternedString symbol) const { return m_symbols.contains(symbol.view()); }

private:
    void addTensor(const TensorMeta& tensor)
    {
        for (const Argument& size : tensor.shape)
            addValue(size);
        if (tensor.stride)
            for (const Argument& stride : *tensor.stride)
                addValue(stride);
        if (tensor.offset)
            addValue(*tensor.offset);
    }

    /// Adds every identifier. This includes sympy functions, which are not symbols of any program.
    void addExpression(InternedString expression)
    {
        if (!m_expressions.insert(expression).second)
            return;
        const std::string_view text = expression.view();
        const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t start = at;
            while (at < text.size() && isWord(text[at]))
                ++at;
            if (at > start)
                m_symbols.insert(text.substr(start, at - start));
            else
                ++at;
        }
    }

    std::unordered_set<InternedString> m_expressions;
    std::unordered_set<std::string_view> m_symbols;
};

/// Returns the ranges of symbols that occur in values of the program's nodes. Linear in nodes and values.
std::vector<SymbolRange> rangesInUse(const Program& program, const std::vector<SymbolRange>& ranges)
{
    std::vector<SymbolRange> used;
    if (ranges.empty())
        return used;
    SymbolCollector symbols;
    for (const Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes())
            if (graph.node(id).meta.val)
                symbols.addValue(*graph.node(id).meta.val);
    for (const SymbolRange& range : ranges)
        if (symbols.contains(range.symbol))
            used.push_back(range);
    return used;
}

/// Returns the call of the whole program: positional arguments in, a tuple out. As in programs from torch.export, inputs have no
/// names: PyTorch drops them in run_decompositions().
ModuleCall wholeCall(const ExportSignature& signature)
{
    const auto inputs = std::ranges::count(signature.inputs, InputKind::user, &InputSpec::kind);
    const auto outputs = std::ranges::count(signature.outputs, OutputKind::user, &OutputSpec::kind);
    ModuleCall call{.hasSignature = true};
    call.inSpec = StoredTreeSpec(TreeSpec::argumentsOf(static_cast<std::size_t>(inputs)));
    call.outSpec = StoredTreeSpec(TreeSpec::tupleOf(static_cast<std::size_t>(outputs)));
    return call;
}

class PartBuilder {
public:
    PartBuilder(const Program& source, const PartPlan& plan, std::size_t part)
        : m_source(source), m_from(source.rootGraph()), m_plan(plan), m_part(part), m_program(emptyResult(source)),
          m_carrier(source, m_program, m_map), m_copies(source, {.naming = SubgraphBuilder::Naming::exact},
                                                        [this](GraphId graph) { return m_carrier.carryGraph(graph); }),
          m_inputOf(signatureInputs(source))
    {
        m_program.origin = source.origin;
        m_program.modules[ModuleTree::root()].cls = source.modules[ModuleTree::root()].cls;
        m_program.addGraph(ModuleTree::root());
    }

    Result<Program> build(ProgressMonitor& monitor)
    {
        m_copies.begin(m_graph, m_program.root, m_map);
        for (const NodeId value : m_plan.lifted[m_part])
            addLifted(value);
        for (const NodeId value : m_plan.inputs[m_part])
            addUserInput(value);
        StepMonitor steps(monitor);
        const auto copyOf = [this](NodeId value) { return Argument::node(m_copies.find(value)); };
        for (const NodeId call : m_plan.calls[m_part]) {
            SUNDER_PROPAGATE(steps.step());
            m_copies.addOp(call, copyOf);
        }
        addResults();
        m_carrier.carryTargets(m_graph, ModuleTree::root());
        m_carrier.finish();
        SUNDER_PROPAGATE(monitor.check());
        m_program.calls.push_back(wholeCall(m_signature));
        m_program.signature = std::move(m_signature);
        m_program.rootGraph() = std::move(m_graph);
        m_program.ranges = rangesInUse(m_program, giveInputsTheirSymbols(m_program, m_source.ranges));
        return std::move(m_program);
    }

private:
    void addLifted(NodeId value)
    {
        m_copies.addInput(value, m_from[value].name);
        InputSpec input = m_source.signature->inputs[static_cast<std::size_t>(m_inputOf[value.index()])];
        input.name = m_from.node(value).name;
        if (const TensorId tensor = m_source.tensors.find(input.target); tensor)
            m_carrier.carryTensor(tensor);
        m_signature.inputs.push_back(std::move(input));
    }

    void addUserInput(NodeId value)
    {
        InputSpec input{.kind = InputKind::user, .value = Argument::node(m_copies.addInput(value, m_from[value].name))};
        const std::int32_t entry = m_inputOf[value.index()];
        if (entry >= 0 && !m_source.signature->inputs[static_cast<std::size_t>(entry)].value.is(ArgumentKind::node)) {
            input = m_source.signature->inputs[static_cast<std::size_t>(entry)];
            input.name = m_from.node(value).name;
        }
        m_signature.inputs.push_back(std::move(input));
    }

    /// Writes precede results.
    void addResults()
    {
        std::vector<NodeId> results;
        const std::span<const Argument> all = flatResults(m_from);
        for (const std::uint32_t entry : m_plan.writes[m_part]) {
            OutputSpec output = m_source.signature->outputs[entry];
            results.push_back(all[entry].asNode());
            output.name = m_from[results.back()].name;
            m_signature.outputs.push_back(std::move(output));
        }
        for (const NodeId given : m_plan.outputs[m_part]) {
            results.push_back(given);
            m_signature.outputs.push_back({.kind = OutputKind::user, .value = Argument::node(m_copies.find(given))});
        }
        m_copies.addOutput(results);
    }

    const Program& m_source;
    const Graph& m_from;
    const PartPlan& m_plan;
    std::size_t m_part;
    Program m_program;
    Graph m_graph;
    ExportSignature m_signature;
    IdentityMap m_map;
    ModuleCarrier m_carrier;
    SubgraphBuilder m_copies;
    std::vector<std::int32_t> m_inputOf;
};

/// Adds attributes of another graph to the results of a part.
void giveAttributes(const Graph& from, const std::vector<NodeId>& attributes, Graph& graph)
{
    const NodeId output = graph.output();
    if (!output || attributes.empty())
        return;
    const Argument given = graph[output].args.empty() ? Argument() : graph[output].args[0];
    Arguments results;
    if (given.is(ArgumentKind::tuple))
        results.assign(given.items().begin(), given.items().end());
    else if (!given.isNone())
        results.push_back(given);
    for (const NodeId attribute : attributes) {
        const InsertScope scope(graph, Graph::InsertPoint::before(output));
        const Node& read = from[attribute];
        results.push_back(Argument::node(graph.create(
            {.op = Op::getAttr, .name = read.name, .target = read.target, .fn = read.fn, .type = read.type, .meta = read.meta})));
    }
    graph.setArguments(output, {Argument::tuple(std::move(results))}, {});
}

} // namespace

Result<Program> exportedPart(const Program& source, const PartPlan& plan, std::size_t part, ProgressMonitor& monitor)
{
    return PartBuilder(source, plan, part).build(monitor);
}

std::vector<NodeId> returnedAttributes(const Program& source)
{
    std::vector<NodeId> found;
    const Graph& graph = source.rootGraph();
    if (const NodeId output = graph.output())
        for (const NodeId value : graph.inputs(output))
            if (graph[value].op == Op::getAttr)
                found.push_back(value);
    return found;
}

Program partModule(const Program& source, const SplitResult& split, std::size_t part)
{
    Program program = emptyResult(source);
    program.modules[ModuleTree::root()].cls = intern("torch.fx.graph_module.GraphModule");
    program.addGraph(ModuleTree::root());
    Graph graph = split.program.graph(split.parts[part]);
    if (part + 1 == split.parts.size())
        giveAttributes(source.rootGraph(), returnedAttributes(source), graph);
    IdentityMap map;
    ModuleCarrier carrier(source, program, map);
    carrier.carryTargets(graph, ModuleTree::root());
    carrier.finish();
    ModuleCarrier graphs(split.program, program, map); // graphs in arguments are those of the split program
    renumberGraphs(graph, [&graphs](GraphId id) { return graphs.carryGraph(id); });
    graphs.finish();
    if (const NodeId output = graph.output(); output && !graph.node(output).args.empty()) {
        const Argument& result = graph.node(output).args.front();
        if (!result.is(ArgumentKind::tuple))
            graph.setArguments(output, {Argument::tuple({result})}, {});
    }
    program.rootGraph() = std::move(graph);
    program.ranges = rangesInUse(program, source.ranges);
    return program;
}

} // namespace sunder
