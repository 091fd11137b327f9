#include "cli/edge_outcome.h"

#include "analysis/values_between.h"
#include "cli/files.h"
#include "ir/value_kind.h"
#include "support/format.h"

#include <QJsonArray>

namespace sunder::cli {
namespace {

std::uint64_t bytesOf(const Node& node)
{
    return node.meta.val ? byteSize(*node.meta.val).value_or(0) : 0;
}

std::string edgeLine(const Graph& graph, const ValueBetween& value)
{
    const Node& node = graph[value.value];
    std::string line = node.name.str();
    if (value.item)
        line += ", output " + std::to_string(*value.item) + " of " + graph[value.producer].name.str();
    if (node.meta.val)
        line += "  " + describeValue(*node.meta.val) + "  " + formatBytes(bytesOf(node));
    line += "  to ";
    for (std::size_t i = 0; i < value.readers.size(); ++i)
        line += (i == 0 ? "" : ", ") + graph[value.readers[i]].name.str();
    return value.further == 0 ? line : line + "  and " + formatCount(value.further, "consumer") + " elsewhere";
}

QJsonObject valueJson(const Graph& graph, const ValueBetween& value)
{
    const Node& node = graph[value.value];
    QJsonArray readers;
    for (const NodeId reader : value.readers)
        readers.append(text(graph[reader].name.view()));
    QJsonObject json{{QStringLiteral("name"), text(node.name.view())},
                     {QStringLiteral("producer"), text(graph[value.producer].name.view())},
                     {QStringLiteral("bytes"), static_cast<qint64>(bytesOf(node))},
                     {QStringLiteral("readers"), readers},
                     {QStringLiteral("further_readers"), static_cast<qint64>(value.further)}};
    if (node.meta.val)
        json[QStringLiteral("type")] = text(describeValue(*node.meta.val));
    if (value.item)
        json[QStringLiteral("item")] = static_cast<qint64>(*value.item);
    return json;
}

/// Returns "no value flows from a to d; a is used by b, c and 3 more".
std::string whyNoEdge(const Graph& graph, const std::string& from, const std::string& to, std::span<const NodeId> makers)
{
    constexpr std::size_t kShown = 5;
    std::vector<NodeId> all(graph.nodes().begin(), graph.nodes().end());
    std::vector<NodeId> readers;
    for (const ValueBetween& value : valuesBetween(graph, makers, all))
        readers.insert(readers.end(), value.readers.begin(), value.readers.end());
    std::string why = "no value flows from " + from + " to " + to + "; ";
    if (readers.empty())
        return why + from + " has no consumers";
    why += from + " is used by ";
    for (std::size_t i = 0; i < std::min(kShown, readers.size()); ++i)
        why += (i == 0 ? "" : ", ") + graph[readers[i]].name.str();
    return readers.size() <= kShown ? why : why + " and " + formatCount(readers.size() - kShown) + " more";
}

} // namespace

Result<Outcome> edgeOutcome(const Program& program, const std::string& ends)
{
    const std::size_t colon = ends.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == ends.size())
        return fail(ErrorCode::usage, "--edge takes FROM:TO, two nodes or modules, not " + ends);
    const std::string from = ends.substr(0, colon);
    const std::string to = ends.substr(colon + 1);
    SUNDER_TRY(const std::vector<NodeId> makers, endOfEdge(program, from));
    SUNDER_TRY(const std::vector<NodeId> readers, endOfEdge(program, to));
    const Graph& graph = program.rootGraph();
    const std::vector<ValueBetween> values = valuesBetween(graph, makers, readers);
    Outcome outcome;
    QJsonArray list;
    std::uint64_t bytes = 0;
    for (const ValueBetween& value : values) {
        bytes += bytesOf(graph[value.value]);
        list.append(valueJson(graph, value));
        outcome.say(edgeLine(graph, value));
    }
    outcome.json = {{QStringLiteral("from"), text(from)},
                    {QStringLiteral("to"), text(to)},
                    {QStringLiteral("values"), list},
                    {QStringLiteral("bytes"), static_cast<qint64>(bytes)}};
    if (values.size() > 1)
        outcome.say(formatCount(values.size(), "value") + ", " + formatBytes(bytes) + " in total");
    if (!values.empty())
        return outcome;
    const std::string why = whyNoEdge(graph, from, to, makers);
    outcome.status = exitStatus(ErrorCode::refused);
    outcome.say(why);
    outcome.json[QStringLiteral("why")] = text(why);
    return outcome;
}

} // namespace sunder::cli
