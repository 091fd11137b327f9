// Inputs and outputs of a program, and of the parts of a split program: their placeholders and outputs, with weights that an
// exported program passes in kept apart from values. A single pass over the root graph finds producers and consumers. For a cut
// that consists only of tags, PartMeasure finds the same ports in a CutGraph.
#include "analysis/cut/graph_interface.h"

#include "analysis/sizes.h"
#include "ir/getitem.h"
#include "ir/python_text.h"
#include "ir/value_kind.h"
#include "support/sort_unique.h"

#include <string_view>
#include <unordered_map>

namespace sunder {
namespace {

/// Readers bound the nesting depth.
void addLeaves(const Argument& value, std::vector<Port>& ports)
{
    const bool isNested = value.is(ArgumentKind::tuple) || value.is(ArgumentKind::list) || value.is(ArgumentKind::dict);
    if (value.is(ArgumentKind::node))
        ports.push_back({.node = value.asNode()});
    else if (!isNested && !value.holdsNodes())
        ports.push_back({.hasNoTensor = true, .literal = value});
    else
        for (const Argument& item : value.items())
            addLeaves(item, ports);
}

class InterfaceReader {
public:
    InterfaceReader(const Program& split, std::span<const InternedString> partNames)
        : m_split(split), m_main(split.rootGraph()), m_values(split, split.root), m_tensors(tensorsOfNodes(split)),
          m_memory(memoryTable(split.tensors))
    {
        for (std::size_t part = 0; part < partNames.size(); ++part)
            m_parts.emplace(partNames[part], static_cast<std::int32_t>(part));
    }

    GraphInterface ofRoot()
    {
        GraphInterface all;
        std::size_t place = 0;
        for (const NodeId id : m_main.nodes()) {
            if (m_main[id].op != Op::placeholder)
                continue;
            const InputSpec* spec = m_split.signature && place < m_split.signature->inputs.size()
                ? &m_split.signature->inputs[place]
                : nullptr;
            ++place;
            if (!m_tensors[id.index()] && !isWeight(spec))
                all.inputs.push_back(withSpec(withReaders(measured(m_values, {.node = id}), id), spec));
        }
        all.outputs = outputPorts(m_main);
        for (Port& output : all.outputs) {
            output.toProgram = true;
            if (output.literal)
                continue;
            output = measured(m_values, std::move(output));
            output.from = makerOf(output.node);
        }
        addOutputKinds(all);
        for (const NodeId id : m_main.nodes())
            if (const TensorId tensor = m_tensors[id.index()])
                all.weights.push_back(withReaders(parameter(id, tensor), id));
        addHeld(all, {}, m_main);
        addUp(all);
        return all;
    }

    GraphInterface ofPart(GraphId graph, InternedString path)
    {
        GraphInterface all;
        const NodeId call = moduleCall(m_main, path);
        const Graph& part = m_split.graph(graph);
        ValueBytes values(m_split, graph);
        std::size_t place = 0;
        for (const NodeId id : part.nodes())
            if (part[id].op == Op::placeholder)
                addInput(all, values, id, call, place++);
        addOutputs(all, part, values, call);
        addHeld(all, path, part);
        addUp(all);
        return all;
    }

private:
    static Port measured(ValueBytes& values, Port port)
    {
        const std::optional<std::uint64_t> bytes = values.of(port.node);
        port.bytes = bytes.value_or(0);
        port.isKnown = bytes.has_value();
        port.hasNoTensor = bytes == 0U && !values.holdsTensor(port.node);
        return port;
    }

    /// Also true for a weight that is not in the file.
    static bool isWeight(const InputSpec* spec)
    {
        return spec != nullptr
            && (spec->kind == InputKind::parameter || spec->kind == InputKind::buffer || spec->kind == InputKind::constant);
    }

    static Port withSpec(Port port, const InputSpec* spec)
    {
        if (spec == nullptr)
            return port;
        port.inputKind = spec->kind;
        if (spec->kind == InputKind::user && !spec->value.is(ArgumentKind::node))
            port.literal = spec->value;
        return port;
    }

    void addOutputKinds(GraphInterface& all) const
    {
        if (!m_split.signature || m_split.signature->outputs.size() != all.outputs.size())
            return;
        for (std::size_t i = 0; i < all.outputs.size(); ++i) {
            all.outputs[i].outputKind = m_split.signature->outputs[i].kind;
            all.outputs[i].target = m_split.signature->outputs[i].target;
        }
    }

    [[nodiscard]] Port parameter(NodeId node, TensorId tensor) const
    {
        const std::optional<std::uint64_t> bytes = byteSize(m_split.tensors[m_split.tensors.object(tensor)].meta);
        return {.node = node, .tensor = tensor, .bytes = bytes.value_or(0), .isKnown = bytes.has_value()};
    }

    /// Returns the part that a call of the root graph runs; kProgram for other nodes.
    [[nodiscard]] std::int32_t partOf(NodeId id) const
    {
        const auto at = m_main[id].op == Op::callModule ? m_parts.find(m_main[id].target) : m_parts.end();
        return at == m_parts.end() ? Port::kProgram : at->second;
    }

    [[nodiscard]] std::int32_t makerOf(NodeId id) const
    {
        while (itemNumber(m_main[id]))
            id = m_main[id].args.front().asNode();
        return partOf(id);
    }

    Port withReaders(Port port, NodeId value) const
    {
        for (const NodeId user : m_main.users(value)) {
            if (m_main[user].op == Op::output)
                port.toProgram = true;
            else if (const std::int32_t part = partOf(user); part != Port::kProgram)
                port.to.push_back(part);
            else
                port.toUntagged = true;
        }
        sortUnique(port.to);
        return port;
    }

    void addInput(GraphInterface& all, ValueBytes& values, NodeId id, NodeId call, std::size_t place) const
    {
        const bool isPassed = call && place < m_main[call].args.size() && m_main[call].args[place].is(ArgumentKind::node);
        const NodeId value = isPassed ? m_main[call].args[place].asNode() : NodeId();
        if (value && m_tensors[value.index()]) {
            all.weights.push_back(parameter(id, m_tensors[value.index()]));
            return;
        }
        all.inputs.push_back(measured(values, {.node = id}));
        if (value)
            all.inputs.back().from = makerOf(value);
    }

    void addOutputs(GraphInterface& all, const Graph& part, ValueBytes& values, NodeId call) const
    {
        const NodeId last = part.output();
        const bool isOne = last && !part[last].args.empty() && !part[last].args.front().isCompound();
        std::int64_t place = -1;
        for (Port& output : outputPorts(part)) {
            ++place;
            if (!output.literal) {
                output = measured(values, std::move(output));
                if (call)
                    output = withWays(std::move(output), call, isOne ? -1 : place);
            }
            all.outputs.push_back(std::move(output));
        }
    }

    /// Adds the consumers of the call's result, or of one of its items.
    Port withWays(Port port, NodeId call, std::int64_t item) const
    {
        if (item < 0)
            return withReaders(std::move(port), call);
        for (const NodeId user : m_main.users(call))
            if (itemNumber(m_main[user]) == item)
                port = withReaders(std::move(port), user);
        return port;
    }

    /// Adds the tensors below the path of the part, each at the node that reads it or calls its module.
    void addHeld(GraphInterface& all, InternedString path, const Graph& graph) const
    {
        std::unordered_map<std::string_view, NodeId> readers;
        for (const NodeId id : graph.nodes())
            if ((graph[id].op == Op::getAttr || graph[id].op == Op::callModule) && (path != InternedString() || partOf(id) < 0))
                readers.emplace(graph[id].target.view(), id);
        if (readers.empty())
            return;
        std::vector<char> isThere(m_split.tensors.size(), 0);
        for (const Port& port : all.weights)
            isThere[port.tensor.index()] = 1;
        const std::string prefix = path.empty() ? std::string() : path.str() + ".";
        for (std::size_t i = 0; i < m_split.tensors.size(); ++i) {
            std::string_view name = m_split.tensors[TensorId(i)].fqn.view();
            if (isThere[i] != 0 || !name.starts_with(prefix))
                continue;
            name.remove_prefix(prefix.size());
            auto at = readers.find(name);
            while (at == readers.end() && name.rfind('.') != std::string_view::npos) {
                name = name.substr(0, name.rfind('.'));
                at = readers.find(name);
            }
            if (at != readers.end())
                all.weights.push_back(parameter(at->second, TensorId(i)));
        }
    }

    void addUp(GraphInterface& all) const
    {
        MemorySum memories(m_memory.bytes);
        for (const Port& port : all.weights)
            all.weightBytes += memories.add(m_memory.memoryOf[port.tensor.index()]);
    }

    const Program& m_split;
    const Graph& m_main;
    ValueBytes m_values; ///< of the root graph
    std::vector<TensorId> m_tensors; ///< per node of the root graph
    MemoryTable m_memory;
    std::unordered_map<InternedString, std::int32_t> m_parts;
};

} // namespace

GraphInterface graphInterface(const Program& program, GraphId graph, std::span<const InternedString> partNames)
{
    InterfaceReader reader(program, partNames);
    if (graph == program.root)
        return reader.ofRoot();
    const ModuleId owner = program.owners[graph.index()];
    return reader.ofPart(graph, owner ? program.modules[owner].path : InternedString());
}

std::vector<Port> outputPorts(const Graph& graph)
{
    std::vector<Port> ports;
    if (const NodeId output = graph.output())
        for (const Argument& value : graph[output].args)
            addLeaves(value, ports);
    return ports;
}

std::vector<Port> outputPorts(const Argument& result)
{
    std::vector<Port> ports;
    addLeaves(result, ports);
    return ports;
}

void consumersOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::uint32_t value,
                 std::vector<std::int32_t>& found)
{
    found.clear();
    const bool isCall = value < graph.callCount;
    const std::int32_t from = isCall ? partOf[value] : Port::kProgram;
    if (isCall && from < 0)
        return;
    for (const std::uint32_t reader : graph.readers[value])
        if (const std::int32_t to = partOf[reader]; to >= 0 && to != from && (found.empty() || found.back() != to))
            found.push_back(to);
    sortUnique(found);
}

std::string describeType(const Port& port, const Graph& graph)
{
    if (port.literal)
        return pythonRepr(*port.literal,
                          {.node = [&](NodeId id) { return graph[id].name.str(); },
                           .callable = [](InternedString name) { return name.str(); }});
    const std::optional<Argument>& val = graph[port.node].meta.val;
    return val ? describeValue(*val) : std::string();
}

std::string describeRole(const Port& output)
{
    switch (output.outputKind) {
    case OutputKind::bufferMutation: return "new value of buffer " + output.target.str();
    case OutputKind::parameterMutation: return "new value of parameter " + output.target.str();
    case OutputKind::inputMutation: return "new value of input " + output.target.str();
    case OutputKind::loss: return "loss";
    case OutputKind::gradient: return "gradient of " + output.target.str();
    case OutputKind::token: return "effect token";
    case OutputKind::user: break;
    }
    return "result";
}

} // namespace sunder
