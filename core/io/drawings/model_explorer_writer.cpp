#include "io/drawings/model_explorer_writer.h"

#include "analysis/sizes.h"
#include "io/exported_program/argument_slots.h"
#include "io/fx_json/fx_json_value_writer.h"
#include "ir/getitem.h"
#include "ir/value_kind.h"
#include "support/file.h"
#include "support/json_text.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

constexpr std::size_t kFlushAt = 1U << 16U;

std::string jsonQuoted(std::string_view text)
{
    std::string out;
    appendJsonString(out, text);
    return out;
}

/// Converts "layers.0.mlp" to "layers/0/mlp".
std::string namespaceOf(std::string_view path)
{
    std::string out(path);
    std::replace(out.begin(), out.end(), '/', '_');
    std::replace(out.begin(), out.end(), '.', '/');
    return out;
}

std::string_view parentPath(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return path.substr(0, dot == std::string_view::npos ? 0 : dot);
}

class ModelExplorerWriter {
public:
    ModelExplorerWriter(const Program& program, std::ostream& out)
        : m_program(program), m_out(out), m_tensors(tensorsOfNodes(program))
    {
    }

    void write()
    {
        const std::string& file = m_program.origin.file;
        m_text = "{\"label\":" + jsonQuoted(file.empty() ? "model" : file.substr(file.rfind('/') + 1)) + ",\"graphs\":[";
        writeGraph(m_program.root);
        for (std::size_t i = 0; i < m_program.graphs.size(); ++i)
            if (GraphId(i) != m_program.root) {
                m_text += ',';
                writeGraph(GraphId(i));
            }
        m_text += "]}\n";
        flush();
    }

private:
    std::string idOf(GraphId id) const { return id == m_program.root ? "main" : fxJsonGraphId(id); }

    void writeGraph(GraphId id)
    {
        m_graph = &m_program.graph(id);
        m_isRoot = id == m_program.root;
        m_classes.clear();
        m_paths.clear();
        m_text += "\n{\"id\":" + jsonQuoted(idOf(id)) + ",\"nodes\":[";
        bool isFirst = true;
        for (const NodeId node : m_graph->nodes()) {
            m_text += isFirst ? "\n" : ",\n";
            isFirst = false;
            writeNode(node);
            if (m_text.size() > kFlushAt)
                flush();
        }
        m_text += "],\n\"groupNodeAttributes\":{";
        for (const InternedString path : m_paths) {
            m_text += m_text.back() == '{' ? "" : ",";
            m_text += jsonQuoted(namespaceOf(path.view())) + ":{\"path\":" + jsonQuoted(path.view())
                + ",\"class\":" + jsonQuoted(m_classes[path].view()) + "}";
        }
        m_text += "}}";
    }

    void writeNode(NodeId id)
    {
        const Node& node = (*m_graph)[id];
        m_text += "{\"id\":" + jsonQuoted(node.name.view()) + ",\"label\":" + jsonQuoted(node.name.view())
            + ",\"namespace\":" + jsonQuoted(namespaceOf(pathOf(id))) + ",\"subgraphIds\":[";
        writeSubgraphs(node);
        m_text += "],\"attrs\":[";
        writeAttributes(node);
        m_text += "],\"incomingEdges\":[";
        std::string slots;
        std::size_t count = 0;
        forEachSlot(node, [&](const std::string& slot, NodeId producer) {
            const std::string number = std::to_string(count++);
            const std::optional<std::int64_t> item = itemNumber(node);
            m_text += count == 1 ? "" : ",";
            m_text += "{\"sourceNodeId\":" + jsonQuoted((*m_graph)[producer].name.view()) + ",\"sourceNodeOutputId\":\""
                + std::to_string(item && *item >= 0 ? *item : 0) + "\",\"targetNodeInputId\":\"" + number + "\"}";
            slots += (count == 1 ? "" : ",") + std::string("{\"id\":\"") + number + "\",\"attrs\":[" + pair("__tensor_tag", slot)
                + "]}";
        });
        m_text += "],\"inputsMetadata\":[" + slots + "],\"outputsMetadata\":[";
        if (node.meta.val)
            writeOutputs(*node.meta.val);
        m_text += "]}";
    }

    /// Path of a node: its module, or the module that owns its parameter.
    std::string_view pathOf(NodeId id)
    {
        const Node& node = (*m_graph)[id];
        const ModuleStack& stack = m_program.stackOf(node);
        for (const ModuleFrame& frame : stack)
            if (!frame.path.empty() && m_classes.emplace(frame.path, frame.cls).second)
                m_paths.push_back(frame.path);
        if (!stack.empty())
            return stack.back().path.view();
        if (node.op == Op::getAttr)
            return parentPath(node.target.view());
        if (m_isRoot && m_tensors[id.index()])
            return parentPath(m_program.tensors[m_tensors[id.index()]].fqn.view());
        return {};
    }

    void writeSubgraphs(const Node& node)
    {
        std::vector<GraphId> graphs;
        const auto look = [&](const auto& self, const Argument& argument) -> void {
            if (argument.is(ArgumentKind::graph))
                graphs.push_back(argument.asGraph());
            for (const Argument& item : argument.items())
                self(self, item);
        };
        for (const Argument& argument : node.args)
            look(look, argument);
        if (m_isRoot && (node.op == Op::callModule || node.op == Op::getAttr))
            if (const ModuleId module = m_program.modules.resolve(node.target.view()); module && m_program.modules[module].graph)
                graphs.push_back(m_program.modules[module].graph);
        for (std::size_t i = 0; i < graphs.size(); ++i)
            m_text += (i == 0 ? "" : ",") + jsonQuoted(idOf(graphs[i]));
    }

    static std::string pair(std::string_view key, std::string_view value)
    {
        return "{\"key\":" + jsonQuoted(key) + ",\"value\":" + jsonQuoted(value) + "}";
    }

    void writeAttributes(const Node& node)
    {
        const FxJsonValueWriter values(*m_graph);
        m_text += pair("op", name(node.op)) + "," + pair("target", node.target.view());
        std::string text;
        values.writeList(text, node.args);
        m_text += "," + pair("args", text);
        if (!node.kwargs.empty()) {
            text.clear();
            values.writeKeywords(text, node.kwargs);
            m_text += "," + pair("kwargs", text);
        }
        if (!node.tag.empty())
            m_text += "," + pair("tag", node.tag.view());
    }

    void writeOutputs(const Argument& val)
    {
        const bool isSeveral = val.is(ArgumentKind::tuple) || val.is(ArgumentKind::list);
        const std::span<const Argument> outputs = isSeveral ? val.items() : std::span(&val, 1);
        for (std::size_t i = 0; i < outputs.size(); ++i)
            m_text += (i == 0 ? "{\"id\":\"" : ",{\"id\":\"") + std::to_string(i) + "\",\"attrs\":["
                + pair("tensor_shape", describeValue(outputs[i])) + "]}";
    }

    void flush()
    {
        m_out << m_text;
        m_text.clear();
    }

    const Program& m_program;
    std::ostream& m_out;
    std::vector<TensorId> m_tensors; ///< per node of the root graph
    const Graph* m_graph = nullptr;
    bool m_isRoot = false;
    std::string m_text;
    std::unordered_map<InternedString, InternedString> m_classes; ///< by module path
    std::vector<InternedString> m_paths;                          ///< in order of appearance
};

Result<void> toFile(const std::string& path, const Program& program, void (*write)(const Program&, std::ostream&))
{
    return writeFileAtomically(path, [&](std::ostream& out) -> Result<void> {
        write(program, out);
        return {};
    });
}

} // namespace

void writeModelExplorer(const Program& program, std::ostream& out)
{
    ModelExplorerWriter(program, out).write();
}

Result<void> writeModelExplorer(const Program& program, const std::string& path)
{
    return toFile(path, program, writeModelExplorer);
}

void writeModelExplorerTags(const Program& program, std::ostream& out)
{
    std::unordered_map<InternedString, InternedString> colors;
    if (program.tags)
        colors.insert(program.tags->colors.begin(), program.tags->colors.end());
    const Graph& graph = program.rootGraph();
    std::string text = "{\"main\":{\"name\":\"tags\",\"showExpandedSummaryOnGroupNode\":true,\"results\":{";
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (node.tag.empty())
            continue;
        text += text.back() == '{' ? "\n" : ",\n";
        text += jsonQuoted(node.name.view()) + ":{\"value\":" + jsonQuoted(node.tag.view());
        if (const auto color = colors.find(node.tag); color != colors.end())
            text += ",\"bgColor\":" + jsonQuoted(color->second.view());
        text += '}';
    }
    out << text << "}}}\n";
}

Result<void> writeModelExplorerTags(const Program& program, const std::string& path)
{
    return toFile(path, program, writeModelExplorerTags);
}

bool hasTags(const Program& program)
{
    const Graph& graph = program.rootGraph();
    const auto nodes = graph.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return !graph[id].tag.empty(); });
}

} // namespace sunder
