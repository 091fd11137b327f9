#include "compare_programs.h"

#include "ir/tensor_meta.h"

#include <cmath>
#include <cstdio>
#include <map>

namespace sunder::test {
namespace {

/// Names of graphs that do not depend on ids: the path of the module, or the place of the first use.
class GraphLabels {
public:
    explicit GraphLabels(const Program& program) : m_program(program), m_labels(program.graphs.size())
    {
        for (const ModuleId id : program.modules.depthFirst()) {
            const Module& module = program.modules[id];
            if (module.graph)
                give(module.graph, "\"" + module.path.str() + "\"");
            for (std::size_t i = 0; module.calls && i < module.calls->size(); ++i)
                give((*module.calls)[i], "\"" + module.path.str() + "\" call " + std::to_string(i));
        }
        for (std::size_t i = 0; i < m_labels.size(); ++i)
            give(GraphId(i), "unused " + std::to_string(i));
    }

    [[nodiscard]] const std::string& operator[](GraphId id) const { return m_labels[id.index()]; }
    [[nodiscard]] std::map<std::string, GraphId> byLabel() const
    {
        std::map<std::string, GraphId> graphs;
        for (std::size_t i = 0; i < m_labels.size(); ++i)
            if (!m_labels[i].starts_with("unused"))
                graphs.emplace(m_labels[i], GraphId(i));
        return graphs;
    }

private:
    void give(GraphId id, const std::string& label)
    {
        if (!m_labels[id.index()].empty())
            return;
        m_labels[id.index()] = label;
        const Graph& graph = m_program.graph(id);
        for (const NodeId node : graph.nodes()) {
            const std::string place = label + " " + graph[node].name.str();
            for (const Argument& argument : graph[node].args)
                visit(argument, place + " args");
            for (const Keyword& keyword : graph[node].kwargs)
                visit(keyword.value, place + " kwargs");
        }
    }

    void visit(const Argument& value, const std::string& place)
    {
        if (value.is(ArgumentKind::graph))
            give(value.asGraph(), place);
        for (const Argument& item : value.items())
            visit(item, place);
    }

    const Program& m_program;
    std::vector<std::string> m_labels;
};

std::string textOfFloat(double value)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", value);
    return std::isnan(value) ? "nan" : text;
}

/// Texts of values of one graph.
class ValueText {
public:
    ValueText(const Program& program, const GraphLabels& labels, GraphId graph) : m_labels(labels), m_graph(program.graph(graph))
    {
    }

    [[nodiscard]] std::string of(const Argument& value) const
    {
        switch (value.kind()) {
        case ArgumentKind::none: return "none";
        case ArgumentKind::boolean: return value.asBoolean() ? "true" : "false";
        case ArgumentKind::integer: return "int " + std::to_string(value.asInteger());
        case ArgumentKind::bigInteger: return "int " + value.text().str();
        case ArgumentKind::floating: return "float " + textOfFloat(value.asFloating());
        case ArgumentKind::node: return "%" + m_graph[value.asNode()].name.str();
        case ArgumentKind::graph: return "graph " + m_labels[value.asGraph()];
        case ArgumentKind::ellipsis: return "ellipsis";
        case ArgumentKind::complex:
            return "complex " + textOfFloat(value.asComplex().first) + " " + textOfFloat(value.asComplex().second);
        case ArgumentKind::symbolic:
            return "symbol " + value.asSymbolic().expression.str() + " "
                + std::to_string(static_cast<int>(value.asSymbolic().kind));
        case ArgumentKind::tensor: return "tensor " + value.asTensor().dtype.str() + ofAll(value.asTensor().shape);
        default: break;
        }
        std::string text = "kind " + std::to_string(static_cast<int>(value.kind())) + " ";
        if (!value.isCompound())
            return text + value.text().str();
        if (value.is(ArgumentKind::namedTuple))
            text += value.className().str();
        return text + ofAll(value.keys()) + ofAll(value.items());
    }

    [[nodiscard]] std::string ofAll(std::span<const Argument> values) const
    {
        std::string text = "[";
        for (const Argument& value : values)
            text += (text.size() > 1 ? ", " : "") + of(value);
        return text + "]";
    }

    [[nodiscard]] std::string ofInputs(const Node& node, bool operandsOnly) const
    {
        std::string text;
        if (operandsOnly) {
            forEachNode(node.args, node.kwargs, [&](NodeId id) { text += m_graph[id].name.str() + " "; });
            return text;
        }
        text = ofAll(node.args);
        for (const Keyword& keyword : node.kwargs)
            text += " " + keyword.key.str() + "=" + of(keyword.value);
        return text;
    }

private:
    const GraphLabels& m_labels;
    const Graph& m_graph;
};

class Comparison {
public:
    Comparison(const Program& expected, const Program& actual, const CompareOptions& options, std::size_t most)
        : m_expected(expected), m_actual(actual), m_options(options), m_most(most), m_expectedLabels(expected),
          m_actualLabels(actual)
    {
    }

    std::vector<std::string> run()
    {
        compareModules();
        compareTensors();
        compareGraphs();
        if (m_options.signature)
            compareSignatures();
        if (m_found.size() > m_most)
            m_found.resize(m_most);
        return m_found;
    }

private:
    void expect(const std::string& place, const std::string& expected, const std::string& actual)
    {
        if (expected != actual && m_found.size() <= m_most)
            m_found.push_back(place + ": expected " + expected + ", is " + actual);
    }

    static std::vector<std::string> modulesOf(const Program& program, const GraphLabels& labels)
    {
        std::vector<std::string> lines;
        for (const ModuleId id : program.modules.depthFirst()) {
            const Module& module = program.modules[id];
            std::string line = "\"" + module.path.str() + "\"";
            if (module.same)
                line += " is " + program.modules[program.modules.object(id)].path.str();
            line += module.graph ? " with a graph" : "";
            if (module.calls)
                for (const GraphId call : *module.calls)
                    line += " calls " + labels[call];
            lines.push_back(line);
        }
        return lines;
    }

    void compareLists(const std::string& what, const std::vector<std::string>& expected, const std::vector<std::string>& actual)
    {
        for (std::size_t i = 0; i < std::max(expected.size(), actual.size()); ++i)
            expect(what + " " + std::to_string(i), i < expected.size() ? expected[i] : "nothing",
                   i < actual.size() ? actual[i] : "nothing");
    }

    void compareModules()
    {
        compareLists("module", modulesOf(m_expected, m_expectedLabels), modulesOf(m_actual, m_actualLabels));
    }

    /// One line for each tensor by name; shared memory and objects are named by their first tensor.
    static std::vector<std::string> tensorsOf(const Program& program)
    {
        const TensorTable& tensors = program.tensors;
        std::map<std::string, TensorId> byName;
        for (std::size_t i = 0; i < tensors.size(); ++i)
            byName.emplace(tensors[TensorId(i)].fqn.str(), TensorId(i));
        std::map<TensorId, std::string> firstOfObject;
        std::map<StorageId, std::string> firstOfStorage;
        std::vector<std::string> lines;
        for (const auto& [fqn, id] : byName) {
            const TensorId object = tensors.object(id);
            const TensorEntry& facts = tensors[object];
            std::string line = fqn + " " + std::string(name(tensors[id].role)) + " " + describe(facts.meta);
            line += tensors[id].persistent.value_or(facts.persistent.value_or(true)) ? "" : " passing";
            line += facts.meta.requiresGrad ? " grad" : "";
            if (facts.meta.offset && *facts.meta.offset != Argument::integer(0))
                line += " offset " + std::to_string(facts.meta.offset->asInteger());
            line += " object " + firstOfObject.try_emplace(object, fqn).first->second;
            if (facts.storage)
                line += " memory " + firstOfStorage.try_emplace(facts.storage, fqn).first->second;
            lines.push_back(line);
        }
        return lines;
    }

    void compareTensors() { compareLists("tensor", tensorsOf(m_expected), tensorsOf(m_actual)); }

    void compareGraphs()
    {
        const std::map<std::string, GraphId> expected = m_expectedLabels.byLabel();
        const std::map<std::string, GraphId> actual = m_actualLabels.byLabel();
        for (const auto& [label, id] : expected) {
            const auto other = actual.find(label);
            if (other == actual.end())
                expect("graph of " + label, "there", "missing");
            else
                compareGraph(label, id, other->second);
        }
        for (const auto& [label, id] : actual)
            if (!expected.contains(label))
                expect("graph of " + label, "missing", "there");
    }

    void compareGraph(const std::string& label, GraphId expectedId, GraphId actualId)
    {
        const Graph& expected = m_expected.graph(expectedId);
        const Graph& actual = m_actual.graph(actualId);
        expect("graph of " + label, std::to_string(expected.size()) + " nodes", std::to_string(actual.size()) + " nodes");
        const ValueText expectedText(m_expected, m_expectedLabels, expectedId);
        const ValueText actualText(m_actual, m_actualLabels, actualId);
        NodeId b = actual.first();
        for (NodeId a = expected.first(); a && b; a = expected.next(a), b = actual.next(b))
            compareNode("graph of " + label + ", " + expected[a].name.str(), expected[a], actual[b], expectedText, actualText);
    }

    void compareNode(const std::string& place, const Node& a, const Node& b, const ValueText& aText, const ValueText& bText)
    {
        if (m_found.size() > m_most)
            return;
        expect(place + ": name", a.name.str(), b.name.str());
        expect(place + ": op", std::string(name(a.op)), std::string(name(b.op)));
        expect(place + ": target", a.target.str(), b.target.str());
        expect(place + ": arguments", aText.ofInputs(a, m_options.operands), bText.ofInputs(b, m_options.operands));
        if (!a.type.empty() && !b.type.empty())
            expect(place + ": type", a.type.str(), b.type.str());
        if (!a.tag.empty() && !b.tag.empty())
            expect(place + ": tag", a.tag.str(), b.tag.str());
        if (a.meta.val && b.meta.val)
            expect(place + ": val", aText.of(*a.meta.val), bText.of(*b.meta.val));
    }

    static std::vector<std::string> signatureOf(const Program& program, const ValueText& text)
    {
        std::vector<std::string> lines;
        if (!program.signature)
            return lines;
        for (const InputSpec& input : program.signature->inputs)
            lines.push_back("input " + std::to_string(static_cast<int>(input.kind)) + " " + input.target.str() + " "
                            + input.name.str() + (input.persistent.value_or(true) ? " " : " passing ") + text.of(input.value));
        for (const OutputSpec& output : program.signature->outputs)
            lines.push_back("output " + std::to_string(static_cast<int>(output.kind)) + " " + output.target.str() + " "
                            + output.name.str() + " " + text.of(output.value));
        return lines;
    }

    static std::vector<std::string> callsOf(const Program& program, const ValueText& text)
    {
        std::vector<std::string> lines;
        for (const ModuleCall& call : program.calls) {
            std::string line = "\"" + call.fqn.str() + "\"";
            if (call.hasSignature)
                line += " " + text.ofAll(call.inputs) + " -> " + text.ofAll(call.outputs) + " " + call.inSpec.text() + " -> "
                    + call.outSpec.text();
            if (call.argNames)
                for (const InternedString name : *call.argNames)
                    line += " " + name.str();
            lines.push_back(line);
        }
        return lines;
    }

    static std::vector<std::string> rangesOf(const Program& program)
    {
        std::map<std::string, std::string> ranges;
        const auto bound = [](const std::optional<std::int64_t>& b) { return b ? std::to_string(*b) : "none"; };
        for (const SymbolRange& range : program.ranges)
            ranges[range.symbol.str()] = bound(range.min) + " to " + bound(range.max);
        std::vector<std::string> lines;
        for (const auto& [symbol, bounds] : ranges)
            lines.push_back(symbol + " " + bounds);
        return lines;
    }

    void compareSignatures()
    {
        const ValueText expectedText(m_expected, m_expectedLabels, m_expected.root);
        const ValueText actualText(m_actual, m_actualLabels, m_actual.root);
        compareLists("signature", signatureOf(m_expected, expectedText), signatureOf(m_actual, actualText));
        compareLists("call", callsOf(m_expected, expectedText), callsOf(m_actual, actualText));
        compareLists("range", rangesOf(m_expected), rangesOf(m_actual));
    }

    const Program& m_expected;
    const Program& m_actual;
    CompareOptions m_options;
    std::size_t m_most;
    GraphLabels m_expectedLabels;
    GraphLabels m_actualLabels;
    std::vector<std::string> m_found;
};

} // namespace

std::vector<std::string> differences(const Program& expected, const Program& actual, const CompareOptions& options,
                                     std::size_t most)
{
    return Comparison(expected, actual, options, most).run();
}

std::string textOf(const Program& program, GraphId graph, const Argument& value)
{
    const GraphLabels labels(program);
    return ValueText(program, labels, graph).of(value);
}

} // namespace sunder::test
