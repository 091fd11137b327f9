// Writes DOT as text instead of using libcgraph: it only requires quoting, and a program with a million nodes is streamed without
// a second copy. All nodes are declared before clusters refer to them, so that readers that keep the file order have graph order.
#include "io/drawings/dot_writer.h"

#include "io/drawings/dot_text.h"
#include "io/exported_program/argument_slots.h"
#include "io/fx_json/fx_json_value_writer.h"
#include "ir/getitem.h"
#include "ir/value_kind.h"
#include "support/file.h"
#include "support/text.h"

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {
namespace {

/// Readers recurse, so deeper modules are drawn in the last allowed cluster.
constexpr std::size_t kDeepestValue = 64;

struct Cluster {
    ModuleFrame frame;
    std::vector<std::size_t> children = {};
    std::vector<NodeId> nodes = {};
};

/// The last component of a dotted name.
std::string_view lastPart(std::string_view text)
{
    return text.substr(text.rfind('.') + 1);
}

/// Returns "add.Tensor" for an operator, and the last component of other names.
std::string shortTarget(const Node& node)
{
    const std::string_view target = node.target.view();
    constexpr std::string_view kOps = "torch.ops.";
    if (node.op != Op::callFunction || !target.starts_with(kOps))
        return std::string(node.op == Op::callFunction ? lastPart(target) : target);
    const std::size_t library = target.find('.', kOps.size());
    return std::string(library == std::string_view::npos ? target : target.substr(library + 1));
}

class DotWriter {
public:
    DotWriter(const Program& program, std::ostream& out) : m_program(program), m_out(out)
    {
        if (program.tags)
            for (const auto& [tag, color] : program.tags->colors)
                m_colors[tag] = color;
    }

    void write()
    {
        const std::string& file = m_program.origin.file;
        m_out << "digraph " << dotQuoted(file.empty() ? "model" : file.substr(file.rfind('/') + 1)) << " {\n"
              << "    graph [compound=true, format=\"fx\"];\n    node [shape=box, style=rounded];\n";
        writeTags();
        writeGraph(m_program.root, "    ");
        for (std::size_t i = 0; i < m_program.graphs.size(); ++i)
            if (GraphId(i) != m_program.root)
                writeNested(GraphId(i));
        m_out << "}\n";
    }

private:
    void writeTags()
    {
        if (!m_program.tags || m_program.tags->order.empty())
            return;
        std::string order = "[";
        for (const InternedString tag : m_program.tags->order) {
            order += order.size() == 1 ? "" : ",";
            FxJsonValueWriter(m_program.rootGraph()).write(order, Argument::string(tag));
        }
        m_out << "    graph [tags=" << dotQuotedJson(order + "]") << "];\n";
    }

    void writeNested(GraphId id)
    {
        const ModuleId owner = m_program.owners[id.index()];
        const std::string name = fxJsonGraphId(id);
        const std::string label = owner ? m_program.modules[owner].path.str() : name;
        m_out << "    subgraph " << dotQuoted("cluster_" + name) << " {\n        graph [label=" << dotLabel(label)
              << ", \"graph\"=" << dotQuoted(name);
        if (owner)
            m_out << ", module=" << dotQuoted(m_program.modules[owner].path.view());
        m_out << "];\n";
        writeGraph(id, "        ");
        m_out << "    }\n";
    }

    void writeGraph(GraphId id, const std::string& indent)
    {
        m_graph = &m_program.graph(id);
        m_prefix = id == m_program.root ? std::string() : fxJsonGraphId(id) + "/";
        for (const NodeId node : m_graph->nodes())
            writeNode(node, indent);
        for (const NodeId node : m_graph->nodes())
            writeEdges(node, indent);
        writeClusters(indent);
    }

    std::string idOf(NodeId id) const
    {
        const std::string name = (*m_graph)[id].name.str();
        // Escaping could make two names equal, so the id is added.
        return dotQuoted(m_prefix + name + (isVisible(name) ? std::string() : "#" + std::to_string(id.index())));
    }

    void writeNode(NodeId id, const std::string& indent)
    {
        const Node& node = (*m_graph)[id];
        const TensorMeta* tensor = node.meta.val && node.meta.val->is(ArgumentKind::tensor) ? &node.meta.val->asTensor()
                                                                                            : nullptr;
        std::string label = node.name.str();
        if (const std::string target = shortTarget(node); target != label)
            label += "\n" + target;
        if (node.meta.val)
            label += "\n" + describeValue(*node.meta.val);
        m_out << indent << idOf(id) << " [label=" << dotLabel(label) << ", op=" << name(node.op)
              << ", target=" << dotQuoted(node.target.view());
        attribute("fn", node.fn);
        writeArguments(node);
        if (tensor != nullptr) {
            attribute("dtype", tensor->dtype);
            m_out << ", tensor_shape=" << shapeOf(*tensor);
        }
        if (const ModuleStack& stack = m_program.stackOf(node); !stack.empty())
            attribute("module", stack.back().path);
        attribute("tag", node.tag);
        if (const auto color = m_colors.find(node.tag); !node.tag.empty() && color != m_colors.end())
            m_out << ", style=\"rounded,filled\", fillcolor=" << dotQuoted(color->second.view());
        m_out << "];\n";
    }

    void writeArguments(const Node& node)
    {
        const FxJsonValueWriter values(*m_graph);
        std::string args;
        values.writeList(args, node.args);
        m_out << ", args=" << dotQuotedJson(args);
        if (node.kwargs.empty())
            return;
        std::string kwargs;
        values.writeKeywords(kwargs, node.kwargs);
        m_out << ", kwargs=" << dotQuotedJson(kwargs);
    }

    void attribute(const char* key, InternedString value)
    {
        if (!value.empty())
            m_out << ", " << key << "=" << dotQuoted(value.view());
    }

    static std::string shapeOf(const TensorMeta& tensor)
    {
        std::string text = "[";
        for (const Argument& size : tensor.shape) {
            text += text.size() == 1 ? "" : ", ";
            if (size.is(ArgumentKind::integer))
                text += std::to_string(size.asInteger());
            else
                text += size.is(ArgumentKind::symbolic) ? size.asSymbolic().expression.str() : "?";
        }
        return dotQuoted(text + "]");
    }

    void writeEdges(NodeId id, const std::string& indent)
    {
        const Node& node = (*m_graph)[id];
        forEachSlot(node, [&](const std::string& slot, NodeId producer) {
            m_out << indent << idOf(producer) << " -> " << idOf(id) << " [dst=" << dotQuoted(slot);
            if (const std::optional<std::int64_t> index = itemNumber(node))
                m_out << ", src=\"" << *index << "\"";
            m_out << "];\n";
        });
    }

    void writeClusters(const std::string& indent)
    {
        std::vector<Cluster> clusters(1);
        std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> known; // parent, path
        for (const NodeId id : m_graph->nodes()) {
            const ModuleStack& stack = m_program.stackOf((*m_graph)[id]);
            std::size_t at = 0;
            std::size_t depth = 0;
            for (const ModuleFrame& frame : stack) {
                if (frame.path.empty() || ++depth > kDeepestValue)
                    continue;
                const auto [place, isNew] = known.try_emplace({at, frame.path.id()}, clusters.size());
                if (isNew) {
                    clusters[at].children.push_back(clusters.size());
                    clusters.push_back({.frame = frame});
                }
                at = place->second;
            }
            clusters[at].nodes.push_back(id);
        }
        for (const std::size_t child : clusters[0].children)
            writeCluster(clusters, child, indent);
    }

    void writeCluster(const std::vector<Cluster>& clusters, std::size_t at, const std::string& indent)
    {
        const Cluster& cluster = clusters[at];
        const std::string path = cluster.frame.path.str();
        const std::string label = std::string(lastPart(path)) + " " + std::string(lastPart(cluster.frame.cls.view()));
        std::string id = "cluster_" + m_prefix + path;
        if (!m_clusterIds.insert(id).second)
            id += "#" + std::to_string(at); // disambiguates a module that is called from two others
        m_out << indent << "subgraph " << dotQuoted(id) << " {\n"
              << indent << "    graph [label=" << dotLabel(label) << ", module=" << dotQuoted(path)
              << ", cls=" << dotQuoted(cluster.frame.cls.view()) << "];\n";
        for (const NodeId node : cluster.nodes)
            m_out << indent << "    " << idOf(node) << ";\n";
        for (const std::size_t child : cluster.children)
            writeCluster(clusters, child, indent + "    ");
        m_out << indent << "}\n";
    }

    const Program& m_program;
    std::ostream& m_out;
    const Graph* m_graph = nullptr;
    std::string m_prefix; ///< prefix of node ids in the current graph
    std::unordered_map<InternedString, InternedString> m_colors;
    std::unordered_set<std::string> m_clusterIds;
};

} // namespace

void writeDot(const Program& program, std::ostream& out)
{
    DotWriter(program, out).write();
}

Result<void> writeDot(const Program& program, const std::string& path)
{
    return writeFileAtomically(path, [&](std::ostream& out) -> Result<void> {
        writeDot(program, out);
        return {};
    });
}

} // namespace sunder
