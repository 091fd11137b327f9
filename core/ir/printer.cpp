#include "ir/printer.h"

#include "ir/python_text.h"

namespace sunder {
namespace {

/// Prints a target with PyTorch's short names for the modules of builtins and operators.
std::string printedTarget(const Node& node)
{
    const std::string_view target = node.target.view();
    constexpr std::string_view kOperator = "_operator.";
    if (node.op != Op::callFunction)
        return std::string(target);
    if (target.starts_with(kOperator))
        return "operator." + std::string(target.substr(kOperator.size()));
    return target.find('.') == std::string_view::npos ? "builtins." + std::string(target) : std::string(target);
}

std::string lastPart(InternedString qualified)
{
    const std::string_view text = qualified.view();
    return std::string(text.substr(text.rfind('.') + 1));
}

/// Returns the name of an operator without its namespace prefix.
std::string operatorName(InternedString qualified)
{
    std::string_view text = qualified.view();
    for (const std::string_view prefix : {"torch.ops.", "higher_order."})
        if (text.starts_with(prefix))
            text.remove_prefix(prefix.size());
    return std::string(text);
}

/// Prints a line. torch.fx marks nodes with "%" in lists, tuples, and dicts, but not in other values, which it prints with str().
class LinePrinter {
public:
    explicit LinePrinter(const Graph& graph) : m_graph(graph)
    {
        m_spelling.node = [&graph](NodeId id) { return graph.node(id).name.str(); };
        m_spelling.callable = operatorName;
    }

    std::string argument(const Argument& value) const
    {
        switch (value.kind()) {
        case ArgumentKind::node: return "%" + m_graph.node(value.asNode()).name.str();
        case ArgumentKind::list: return "[" + items(value.items()) + "]";
        case ArgumentKind::tuple:
        case ArgumentKind::namedTuple: return tuple(value.items());
        case ArgumentKind::dict: {
            std::string text = "{";
            for (std::size_t i = 0; i < value.items().size(); ++i)
                text += (i == 0 ? "" : ", ") + pythonStr(value.keys()[i], m_spelling) + ": " + argument(value.items()[i]);
            return text + "}";
        }
        default: return pythonStr(value, m_spelling);
        }
    }

    std::string tuple(std::span<const Argument> values) const { return "(" + items(values) + (values.size() == 1 ? ",)" : ")"); }

    std::string keywords(const Keywords& values) const
    {
        std::string text = "{";
        for (const Keyword& keyword : values)
            text += (text.size() == 1 ? "" : ", ") + keyword.key.str() + ": " + argument(keyword.value);
        return text + "}";
    }

    std::string plain(const Argument& value) const
    {
        PythonSpelling spelling = m_spelling;
        spelling.callable = lastPart;
        return pythonStr(value, spelling);
    }

private:
    std::string items(std::span<const Argument> values) const
    {
        std::string text;
        for (const Argument& value : values) {
            text += text.empty() ? "" : ", ";
            text += argument(value);
        }
        return text;
    }

    const Graph& m_graph;
    PythonSpelling m_spelling;
};

} // namespace

std::string printNode(const Graph& graph, NodeId id)
{
    const Node& node = graph.node(id);
    const LinePrinter printer(graph);
    if (node.op == Op::output)
        return "return " + printer.plain(node.args.empty() ? Argument() : node.args.front());
    const std::string type = node.type.empty() ? "" : node.type.str() + " ";
    std::string line = "%" + node.name.str() + " : " + type + "[num_users=" + std::to_string(node.userCount())
        + "] = " + std::string(name(node.op)) + "[target=" + printedTarget(node) + "]";
    if (node.op == Op::placeholder)
        return node.args.empty() ? line : line + "(default=" + printer.plain(node.args.front()) + ")";
    if (node.op == Op::getAttr)
        return line;
    return line + "(args = " + printer.tuple(node.args) + ", kwargs = " + printer.keywords(node.kwargs) + ")";
}

std::string printGraph(const Graph& graph)
{
    std::string text = "graph():";
    for (const NodeId id : graph.nodes())
        text += "\n    " + printNode(graph, id);
    return text;
}

} // namespace sunder
