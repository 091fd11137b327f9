#include "models/edge_text.h"

#include "document/text.h"
#include "ir/node_set.h"
#include "support/format.h"
#include "text/amounts.h"

#include <numeric>

namespace sunder {
namespace {

constexpr std::size_t kMaxReaders = 200; ///< listed individually
constexpr std::size_t kMaxCardValues = 4;

/// Describes the values of an edge of one graph.
class EdgeText {
public:
    EdgeText(const Program& program, GraphId graph, int run)
        : m_program(program), m_graph(program.graph(graph)), m_graphId(graph), m_run(run)
    {
    }

    [[nodiscard]] QString nameOf(NodeId id) const { return text(m_graph[id].name); }

    /// Returns e.g. "f32[1, s27, 16]"; empty if the file has no type.
    [[nodiscard]] QString tensor(NodeId value) const
    {
        const auto& val = m_graph[value].meta.val;
        return val ? argumentText(*val, m_graph, 120) : QString();
    }

    /// Returns e.g. "output 1 of split"; empty for a single output.
    [[nodiscard]] QString output(const ValueBetween& value) const
    {
        return value.item ? tr("output %1 of %2").arg(*value.item).arg(nameOf(value.producer)) : QString();
    }

    [[nodiscard]] std::uint64_t bytes(NodeId value) const
    {
        const auto& val = m_graph[value].meta.val;
        return val ? byteSize(*val).value_or(0) : 0;
    }

    [[nodiscard]] QString bytesOf(NodeId value) const
    {
        const auto& val = m_graph[value].meta.val;
        return val && byteSize(*val) ? bytesText(*byteSize(*val)) : QString();
    }

    /// Returns e.g. "add_12, layers.3".
    [[nodiscard]] QString place(NodeId node) const
    {
        const ModuleStack& stack = m_program.stackOf(m_graph[node]);
        return stack.empty() || stack.back().path.empty() ? nameOf(node)
                                                          : QStringLiteral("%1, %2").arg(nameOf(node), text(stack.back().path));
    }

    [[nodiscard]] QString cardLine(const ValueBetween& value) const
    {
        QStringList words;
        for (const QString& word : {nameOf(value.value), output(value), tensor(value.value), bytesOf(value.value)})
            if (!word.isEmpty())
                words << word;
        return words.join(QStringLiteral(" · "));
    }

    [[nodiscard]] Property link(QString key, NodeId node, QString words) const
    {
        return {std::move(key), std::move(words), true, {m_graphId, node}, m_run};
    }

    /// Returns the lines of one value: its type, its producer, and its consumers at this edge and elsewhere.
    [[nodiscard]] std::vector<Property> lines(const ValueBetween& value) const
    {
        std::vector<Property> lines;
        if (const QString which = output(value); !which.isEmpty())
            lines.push_back({tr("output"), which});
        if (const QString shape = tensor(value.value); !shape.isEmpty())
            lines.push_back({tr("tensor"), shape});
        if (const QString size = bytesOf(value.value); !size.isEmpty())
            lines.push_back({tr("bytes"), size});
        lines.push_back(link(tr("from"), value.producer, place(value.producer)));
        for (std::size_t i = 0; i < std::min(value.readers.size(), kMaxReaders); ++i)
            lines.push_back(link(i == 0 ? tr("to") : QString(), value.readers[i], place(value.readers[i])));
        if (value.further > 0)
            lines.push_back(furtherReaders(value));
        return lines;
    }

private:
    [[nodiscard]] Property furtherReaders(const ValueBetween& value) const
    {
        Property further{tr("also to"), countText(value.further, "consumer"), false};
        const NodeSet here(value.readers);
        for (const NodeId user : m_graph.users(value.value))
            if (!here.contains(user) && further.children.size() < kMaxReaders)
                further.children.push_back(link({}, user, place(user)));
        return further;
    }

    const Program& m_program;
    const Graph& m_graph;
    GraphId m_graphId;
    int m_run;
};

QString sumOf(const EdgeText& about, const std::vector<ValueBetween>& values)
{
    const auto bytes = std::accumulate(values.begin(), values.end(), std::uint64_t{0},
                                       [&](std::uint64_t sum, const ValueBetween& one) { return sum + about.bytes(one.value); });
    return bytes == 0 ? countText(values.size(), "tensor")
                      : QStringLiteral("%1 · %2").arg(countText(values.size(), "tensor"), bytesText(bytes));
}

} // namespace

QString edgeCard(const Program& program, GraphId graph, const std::vector<ValueBetween>& values)
{
    if (values.empty())
        return {};
    const EdgeText about(program, graph, 0);
    QStringList lines;
    if (values.size() > 1)
        lines << sumOf(about, values);
    for (std::size_t i = 0; i < std::min(values.size(), kMaxCardValues); ++i)
        lines << about.cardLine(values[i]);
    if (values.size() > kMaxCardValues)
        lines << tr("and %1 more").arg(values.size() - kMaxCardValues);
    const ValueBetween& first = values.front();
    lines << tr("from %1").arg(about.place(first.producer));
    QStringList to;
    if (!first.readers.empty())
        to << tr("to %1").arg(about.place(first.readers.front()));
    if (first.readers.size() > 1)
        to << tr("%1 more there").arg(first.readers.size() - 1);
    if (first.further > 0)
        to << tr("%1 elsewhere").arg(countText(first.further, "consumer"));
    lines << to.join(QStringLiteral(" · "));
    return folded(lines.join(u'\n'));
}

QString edgeLines(const Program& program, GraphId graph, const std::vector<ValueBetween>& values)
{
    const EdgeText about(program, graph, 0);
    QStringList lines;
    for (const ValueBetween& value : values) {
        lines << about.cardLine(value) << tr("from %1").arg(about.place(value.producer));
        for (const NodeId reader : value.readers)
            lines << tr("to %1").arg(about.place(reader));
        if (value.further > 0)
            lines << tr("and to %1 elsewhere").arg(countText(value.further, "consumer"));
    }
    return lines.join(u'\n');
}

std::vector<Property> edgeProperties(const Program& program, const SelectedEdge& edge)
{
    const EdgeText about(program, edge.graph, edge.run);
    std::vector<Property> lines;
    if (edge.values.size() == 1) {
        const ValueBetween& only = edge.values.front();
        lines.push_back(about.link(tr("value"), only.value, about.nameOf(only.value)));
        const std::vector<Property> more = about.lines(only);
        lines.insert(lines.end(), more.begin(), more.end());
        return lines;
    }
    lines.push_back({tr("edge"), sumOf(about, edge.values), false});
    for (const ValueBetween& value : edge.values) {
        if (lines.size() > kMaxReaders)
            break;
        Property one = about.link(tr("value"), value.value, about.cardLine(value));
        one.children = about.lines(value);
        lines.push_back(std::move(one));
    }
    const ValueBetween& first = edge.values.front();
    lines.push_back(about.link(tr("from"), first.producer, about.place(first.producer)));
    if (!first.readers.empty())
        lines.push_back(about.link(tr("to"), first.readers.front(), about.place(first.readers.front())));
    return lines;
}

} // namespace sunder
