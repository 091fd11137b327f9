#include "analysis/boundary_kinds.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/pass_switches.h"
#include "cli/tags.h"
#include "io/side_files/subgraphs_file.h"
#include "parts/part_checks.h"
#include "support/format.h"

#include <functional>
#include <unordered_set>

namespace sunder::cli {
namespace {

constexpr CommandOption kMoveNonTensorOptions[] = {
    {Takes::input, "subgraphs", "SUBGRAPHS.json", "The subgraphs, each with its nodes and whether it runs on an accelerator."},
    {Takes::input, "tags", "TAGS.json", "Alternative to --subgraphs: each tag is a subgraph."},
    {Takes::output, "moves", "MOVES.json", "Write what moved, and why other nodes stay."},
    {Takes::output, "o", "OUT.json", "Subgraphs or tags to write."},
};

Result<std::vector<NodeSubgraph>> subgraphsFor(const Graph& graph, const std::string& path)
{
    SUNDER_TRY(const std::vector<NamedSubgraph> named, readSubgraphsFile(path));
    const NodeIndex nodes(graph);
    std::vector<NodeSubgraph> subgraphs;
    std::unordered_set<InternedString> seen;
    for (const NamedSubgraph& from : named) {
        subgraphs.push_back({.isAcc = from.isAcc, .nodes = {}});
        for (const InternedString name : from.nodes) {
            subgraphs.back().nodes.push_back(nodes.find(name));
            if (!subgraphs.back().nodes.back())
                return fail(ErrorCode::refused,
                            "subgraph " + std::to_string(subgraphs.size() - 1) + ": unknown node \"" + name.str() + '"',
                            {.file = path, .node = name.str()});
            if (!seen.insert(name).second)
                return fail(ErrorCode::refused,
                            "subgraph " + std::to_string(subgraphs.size() - 1) + ": node \"" + name.str()
                                + "\" is already in a subgraph",
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

/// Writes a member with the tag of a subgraph, or its index.
void writeSubgraph(const char* key, const MoveNonTensorResult& result, std::uint32_t at, JsonWriter& json)
{
    if (const std::string& tag = result.subgraphs[at].name; tag.empty())
        json.member(key, at);
    else
        json.member(key, tag);
}

void describe(const Graph& graph, const MoveNonTensorResult& result, Outcome& outcome)
{
    outcome.say("moved " + formatCount(result.moved.size(), "node"));
    JsonWriter& json = outcome.json;
    json.key("moved");
    json.list(result.moved, [&](const MovedNonTensor& move) {
        const std::string& to = result.subgraphs[move.to].name;
        outcome.say("  " + graph[move.node].name.str() + ": from " + result.nameOf(move.from) + " to "
                    + (to.empty() ? std::to_string(move.to) : to));
        json.object([&] {
            json.member("node", graph[move.node].name.view());
            writeSubgraph("from", result, move.from, json);
            writeSubgraph("to", result, move.to, json);
        });
    });
    if (!result.staying.empty())
        outcome.say(formatCount(result.staying.size(), "node") + " without tensor output still on a boundary");
    json.key("staying");
    json.list(result.staying, [&](const StayingNode& stay) {
        outcome.say("  " + stay.why);
        json.object([&] {
            json.member("node", graph[stay.node].name.view());
            writeSubgraph("subgraph", result, stay.subgraph, json);
            json.member("reason", name(stay.reason));
            json.member("why", stay.why);
        });
    });
}

/// Result of the pass and a function that writes it: subgraphs or tags.
struct Moves {
    MoveNonTensorResult result;
    std::function<Result<void>(const std::string& path)> write;
};

Result<Moves> moveSubgraphs(const Invocation& invocation, const Graph& graph)
{
    SUNDER_TRY(const std::vector<NodeSubgraph> subgraphs, subgraphsFor(graph, invocation.value("subgraphs")));
    SUNDER_TRY(MoveNonTensorResult moved, invocation.timer.measure("pass", [&] {
        return moveNonTensorNodes(graph, subgraphs, invocation.monitor, givenOptions<MoveByTagsOptions>(invocation).telling);
    }));
    std::vector<NodeSubgraph> after = moved.subgraphs;
    return Moves{std::move(moved),
                 [&graph, after = std::move(after)](const std::string& at) { return writeSubgraphs(graph, after, at); }};
}

Result<Moves> moveTags(const Invocation& invocation, const Program& program)
{
    SUNDER_TRY(const TagAssignment tags, tagsFor(invocation, program));
    const auto options = givenOptions<MoveByTagsOptions>(invocation);
    SUNDER_TRY(MoveByTagsResult moved, invocation.timer.measure("pass", [&] {
        return moveNonTensorByTags(program.rootGraph(), tags, options, invocation.monitor);
    }));
    return Moves{std::move(moved.moves),
                 [&program, after = std::move(moved.tags)](const std::string& at) { return writeTags(program, after, at); }};
}

Result<void> writeResults(const Invocation& invocation, const Graph& graph, const Moves& moves, Outcome& outcome)
{
    const auto write = [&](const char* option, const auto& writer) {
        outcome.say("wrote " + invocation.value(option));
        return invocation.timer.measure("write", [&] { return invocation.outputs.write(invocation.value(option), writer); });
    };
    if (const Result<void> written = write("o", moves.write); !written || !invocation.isSet("moves"))
        return written;
    return write("moves", [&](const std::string& at) { return writeMovesFile(movesByName(graph, moves.result), at); });
}

Result<void> checkMoveOptions(const Invocation& invocation)
{
    const bool isByTags = invocation.isSet("tags") || isProjectPath(invocation.files[0]);
    if ((invocation.isSet("subgraphs") ? invocation.isSet("tags") : !isByTags) || !invocation.isSet("o"))
        return fail(ErrorCode::usage, "move-non-tensor needs --subgraphs SUBGRAPHS.json or --tags TAGS.json, and -o OUT.json");
    if (invocation.isSet("accelerators") && invocation.isSet("subgraphs"))
        return fail(ErrorCode::usage, "--accelerators needs --tags; subgraphs have \"is_acc\" instead");
    return {};
}

Result<Outcome> runMoveNonTensor(const Invocation& invocation)
{
    SUNDER_PROPAGATE(checkMoveOptions(invocation));
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    const Graph& graph = program.rootGraph();
    SUNDER_TRY(const Moves moves,
               invocation.isSet("subgraphs") ? moveSubgraphs(invocation, graph) : moveTags(invocation, program));
    Outcome outcome;
    describe(graph, moves.result, outcome);
    SUNDER_PROPAGATE(writeResults(invocation, graph, moves, outcome));
    if (lacksOutputTypes(graph) && !invocation.isSet("by-values")) {
        const std::string note =
            "no node has an output type (out_type), so no node counts as a tensor; --by-values uses values instead";
        outcome.warnings.push_back("warning: " + note);
        outcome.notes = {note};
    } else if (lacksOutputTypes(graph) && hasNoValues(graph)) {
        outcome.warnings.push_back(std::string("warning: ") + kNoValues);
        outcome.notes = {kNoValues};
    }
    return outcome;
}

} // namespace

Command moveNonTensorCommand()
{
    return {"move-non-tensor", "IN", "Move nodes without tensor results to the subgraph that uses them.",
            joined({kMoveNonTensorOptions, passSwitches<MoveByTagsOptions>()}), runMoveNonTensor};
}

} // namespace sunder::cli
