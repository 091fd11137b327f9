// Inputs and outputs of a submodule, as displayed with its graph. partInterfaces() does the same for a cut that consists only of
// tags. Here the parts exist, so their placeholders and outputs are listed, and weights that an exported program passes in are
// separated from values. A single pass over the root graph finds producers and consumers.
#include "analysis/cut/submodule_interface.h"

#include "analysis/sizes.h"
#include "ir/getitem.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace sunder {
namespace {

/// Returns the flattened values of the output node's first argument.
std::vector<Argument> given(const Graph& graph)
{
    const NodeId last = graph.last();
    if (!last || graph[last].op != Op::output || graph[last].args.empty())
        return {};
    std::vector<Argument> flat;
    std::vector<Argument> open{graph[last].args.front()};
    while (!open.empty()) { // outermost first, in order
        const Argument at = std::move(open.back());
        open.pop_back();
        if (!at.isCompound()) {
            flat.push_back(at);
            continue;
        }
        const auto items = at.items();
        open.insert(open.end(), items.rbegin(), items.rend());
    }
    return flat;
}

class InterfaceReader {
public:
    InterfaceReader(const Program& split, std::span<const InternedString> partNames)
        : m_split(split), m_main(split.rootGraph()), m_tensors(tensorsOfNodes(split)), m_memory(memoryTable(split.tensors))
    {
        for (std::size_t part = 0; part < partNames.size(); ++part)
            m_parts.emplace(partNames[part], static_cast<std::int32_t>(part));
    }

    SubmoduleInterface ofRoot()
    {
        SubmoduleInterface all;
        for (const NodeId id : m_main.nodes())
            if (m_main[id].op == Op::placeholder && !m_tensors[id.index()])
                all.inputs.push_back(withReaders(port(m_main, id), id));
        for (const Argument& value : given(m_main))
            if (value.is(ArgumentKind::node)) {
                all.outputs.push_back(port(m_main, value.asNode()));
                all.outputs.back().from = makerOf(value.asNode());
                all.outputs.back().toProgram = true;
            }
        for (const NodeId id : m_main.nodes())
            if (const TensorId tensor = m_tensors[id.index()])
                all.parameters.push_back(withReaders(parameter(id, tensor), id));
        addHeld(all, {}, m_main);
        addUp(all);
        return all;
    }

    SubmoduleInterface ofPart(GraphId graph, InternedString path)
    {
        SubmoduleInterface all;
        const NodeId call = callOf(path);
        const Graph& part = m_split.graph(graph);
        std::size_t place = 0;
        for (const NodeId id : part.nodes())
            if (part[id].op == Op::placeholder)
                addInput(all, part, id, call, place++);
        addOutputs(all, part, call);
        addHeld(all, path, part);
        addUp(all);
        return all;
    }

private:
    [[nodiscard]] SubmodulePort port(const Graph& graph, NodeId id) const
    {
        const std::optional<Argument>& val = graph[id].meta.val;
        const std::optional<std::uint64_t> bytes = val ? byteSize(*val) : std::nullopt;
        return {.node = id, .name = graph[id].name, .bytes = bytes.value_or(0), .isKnown = bytes.has_value()};
    }

    [[nodiscard]] SubmodulePort parameter(NodeId node, TensorId tensor) const
    {
        const std::optional<std::uint64_t> bytes = byteSize(m_split.tensors[m_split.tensors.object(tensor)].meta);
        return {.node = node,
                .name = m_split.tensors[tensor].fqn,
                .tensor = tensor,
                .bytes = bytes.value_or(0),
                .isKnown = bytes.has_value()};
    }

    /// Returns the part that a call of the root graph runs; kProgram for other nodes.
    [[nodiscard]] std::int32_t partOf(NodeId id) const
    {
        const auto at = m_main[id].op == Op::callModule ? m_parts.find(m_main[id].target) : m_parts.end();
        return at == m_parts.end() ? SubmodulePort::kProgram : at->second;
    }

    [[nodiscard]] std::int32_t makerOf(NodeId id) const
    {
        while (itemNumber(m_main[id]))
            id = m_main[id].args.front().asNode();
        return partOf(id);
    }

    [[nodiscard]] NodeId callOf(InternedString path) const
    {
        for (const NodeId id : m_main.nodes())
            if (m_main[id].op == Op::callModule && m_main[id].target == path)
                return id;
        return {};
    }

    SubmodulePort withReaders(SubmodulePort port, NodeId value) const
    {
        for (const NodeId user : m_main.users(value)) {
            if (m_main[user].op == Op::output)
                port.toProgram = true;
            else if (const std::int32_t part = partOf(user); part != SubmodulePort::kProgram)
                port.to.push_back(part);
        }
        std::sort(port.to.begin(), port.to.end());
        port.to.erase(std::unique(port.to.begin(), port.to.end()), port.to.end());
        return port;
    }

    void addInput(SubmoduleInterface& all, const Graph& part, NodeId id, NodeId call, std::size_t place) const
    {
        const bool isPassed = call && place < m_main[call].args.size() && m_main[call].args[place].is(ArgumentKind::node);
        const NodeId value = isPassed ? m_main[call].args[place].asNode() : NodeId();
        if (value && m_tensors[value.index()]) {
            all.parameters.push_back(parameter(id, m_tensors[value.index()]));
            return;
        }
        all.inputs.push_back(port(part, id));
        if (value)
            all.inputs.back().from = makerOf(value);
    }

    void addOutputs(SubmoduleInterface& all, const Graph& part, NodeId call) const
    {
        const NodeId last = part.last();
        const bool isOne = last && part[last].op == Op::output && !part[last].args.empty()
            && !part[last].args.front().isCompound();
        std::int64_t place = -1;
        for (const Argument& value : given(part)) {
            ++place;
            if (!value.is(ArgumentKind::node))
                continue;
            SubmodulePort out = port(part, value.asNode());
            all.outputs.push_back(call ? withWays(std::move(out), call, isOne ? -1 : place) : std::move(out));
        }
    }

    /// Adds the consumers of the call's result, or of one of its items.
    SubmodulePort withWays(SubmodulePort port, NodeId call, std::int64_t item) const
    {
        if (item < 0)
            return withReaders(std::move(port), call);
        for (const NodeId user : m_main.users(call))
            if (itemNumber(m_main[user]) == item)
                port = withReaders(std::move(port), user);
        return port;
    }

    /// Adds the tensors below the path of the part, each at the node that reads it or calls its module.
    void addHeld(SubmoduleInterface& all, InternedString path, const Graph& graph) const
    {
        std::unordered_map<std::string_view, NodeId> readers;
        for (const NodeId id : graph.nodes())
            if ((graph[id].op == Op::getAttr || graph[id].op == Op::callModule) && (path != InternedString() || partOf(id) < 0))
                readers.emplace(graph[id].target.view(), id);
        if (readers.empty())
            return;
        std::vector<char> isThere(m_split.tensors.size(), 0);
        for (const SubmodulePort& port : all.parameters)
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
                all.parameters.push_back(parameter(at->second, TensorId(i)));
        }
    }

    void addUp(SubmoduleInterface& all) const
    {
        std::vector<char> isCounted(m_memory.bytes.size(), 0);
        for (const SubmodulePort& port : all.parameters)
            if (const std::uint32_t memory = m_memory.memoryOf[port.tensor.index()]; isCounted[memory] == 0) {
                isCounted[memory] = 1;
                all.parameterBytes += m_memory.bytes[memory];
            }
    }

    const Program& m_split;
    const Graph& m_main;
    std::vector<TensorId> m_tensors; ///< per node of the root graph
    MemoryTable m_memory;
    std::unordered_map<InternedString, std::int32_t> m_parts;
};

} // namespace

SubmoduleInterface submoduleInterface(const Program& split, GraphId graph, std::span<const InternedString> partNames)
{
    InterfaceReader reader(split, partNames);
    if (graph == split.root)
        return reader.ofRoot();
    const ModuleId owner = split.owners[graph.index()];
    return reader.ofPart(graph, owner ? split.modules[owner].path : InternedString());
}

} // namespace sunder
