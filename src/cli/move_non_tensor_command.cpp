#include "cli/commands.h"
#include "cli/files.h"
#include "io/side_files/subgraphs_file.h"
#include "passes/move_non_tensor/move_non_tensor.h"
#include "support/format.h"

#include <QJsonArray>

#include <algorithm>
#include <unordered_set>

namespace sunder::cli {
namespace {

void declare(QCommandLineParser& parser)
{
    parser.addOptions({{QStringLiteral("subgraphs"), QStringLiteral("The subgraphs, and which are for an accelerator."),
                        QStringLiteral("SUBGRAPHS.json")},
                       {QStringLiteral("o"), QStringLiteral("The subgraphs after the moves."), QStringLiteral("OUT.json")}});
}

Result<std::vector<NodeSubgraph>> subgraphsFor(const Graph& graph, const std::string& path)
{
    const Result<std::vector<NamedSubgraph>> named = readSubgraphsFile(path);
    if (!named)
        return forward(named);
    const NodeIndex nodes(graph);
    std::vector<NodeSubgraph> subgraphs;
    std::unordered_set<InternedString> seen;
    for (const NamedSubgraph& from : *named) {
        subgraphs.push_back({.isAcc = from.isAcc, .nodes = {}});
        for (const InternedString name : from.nodes) {
            subgraphs.back().nodes.push_back(nodes.find(name));
            if (!subgraphs.back().nodes.back())
                return fail(ErrorCode::refused,
                            "subgraph " + std::to_string(subgraphs.size() - 1) + " names " + name.str() +
                                ", which is no node of the graph",
                            {.file = path, .node = name.str()});
            if (!seen.insert(name).second)
                return fail(ErrorCode::refused,
                            "subgraph " + std::to_string(subgraphs.size() - 1) + " names " + name.str() +
                                ", which the file has named before",
                            {.file = path, .node = name.str()});
        }
    }
    return subgraphs;
}

Result<void> writeSubgraphs(const Graph& graph, const std::vector<NodeSubgraph>& subgraphs, const std::string& path)
{
    std::vector<NamedSubgraph> named;
    for (const NodeSubgraph& from : subgraphs) {
        named.push_back({.isAcc = from.isAcc, .nodes = {}});
        for (const NodeId id : from.nodes)
            named.back().nodes.push_back(graph[id].name);
    }
    return writeSubgraphsFile(named, path);
}

void describe(const Graph& graph, const MoveNonTensorResult& result, Outcome& outcome)
{
    outcome.say("moved " + formatCount(result.moved.size(), "node"));
    QJsonArray moved;
    for (const MovedNonTensor& move : result.moved) {
        outcome.say("  " + graph[move.node].name.str() + ": from subgraph " + std::to_string(move.from) + " to " +
                    std::to_string(move.to));
        moved.append(QJsonObject{{QStringLiteral("node"), text(graph[move.node].name.view())},
                                 {QStringLiteral("from"), static_cast<qint64>(move.from)},
                                 {QStringLiteral("to"), static_cast<qint64>(move.to)}});
    }
    if (!result.staying.empty())
        outcome.say(formatCount(result.staying.size(), "node") + " without tensor output left on a boundary");
    QJsonArray staying;
    for (const StayingNode& stay : result.staying) {
        outcome.say("  " + stay.why);
        staying.append(QJsonObject{{QStringLiteral("node"), text(graph[stay.node].name.view())},
                                   {QStringLiteral("subgraph"), static_cast<qint64>(stay.subgraph)},
                                   {QStringLiteral("reason"), text(name(stay.reason))},
                                   {QStringLiteral("why"), text(stay.why)}});
    }
    outcome.json[QStringLiteral("moved")] = moved;
    outcome.json[QStringLiteral("staying")] = staying;
}

/// A node without a type counts as no tensor; where no node has one, all that is on a boundary moves.
bool noNodeHasType(const Graph& graph)
{
    return std::ranges::none_of(graph.order(), [&](NodeId id) { return !graph[id].meta.outType.empty(); });
}

Result<Outcome> run(const Invocation& invocation)
{
    if (!invocation.isSet("subgraphs") || !invocation.isSet("o"))
        return fail(ErrorCode::usage, "move-non-tensor needs --subgraphs SUBGRAPHS.json and -o OUT.json");
    const Result<Program> program = readInput(invocation, invocation.files[0]);
    if (!program)
        return forward(program);
    const Graph& graph = program->rootGraph();
    const Result<std::vector<NodeSubgraph>> subgraphs = subgraphsFor(graph, invocation.value("subgraphs"));
    if (!subgraphs)
        return forward(subgraphs);
    const Result<MoveNonTensorResult> result = invocation.timer.measure(
        "pass", [&] { return moveNonTensorNodes(graph, *subgraphs, invocation.monitor); });
    if (!result)
        return forward(result);
    const Result<void> written = invocation.timer.measure(
        "write", [&] {
            return invocation.outputs.write(invocation.value("o"), [&](const std::string& at) {
                return writeSubgraphs(graph, result->subgraphs, at);
            });
        });
    if (!written)
        return forward(written);
    Outcome outcome;
    describe(graph, *result, outcome);
    outcome.say("wrote " + invocation.value("o"));
    if (noNodeHasType(graph)) {
        const std::string note = "no node of the graph says the type of its output (out_type), so that none counts as a tensor";
        outcome.warnings.push_back("warning: " + note);
        outcome.json[QStringLiteral("notes")] = QJsonArray{text(note)};
    }
    return outcome;
}

} // namespace

Command moveNonTensorCommand()
{
    return {"move-non-tensor", "IN", "Moves nodes that give no tensors to the subgraph that uses them.", declare, run};
}

} // namespace sunder::cli
