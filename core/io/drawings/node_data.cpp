#include "io/drawings/node_data.h"

#include "io/json/json_file.h"
#include "support/file.h"
#include "support/json_tape.h"
#include "support/json_text.h"

#include <charconv>
#include <cmath>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxNodeDataBytes = 256ULL << 20U;
constexpr unsigned kMaxNodeDataDepth = 64;

/// Returns a number that is written as one, or as text with nothing else.
std::optional<double> numberOf(JsonValue value)
{
    if (!value.is(JsonType::string))
        return numberIn(value);
    double number = 0;
    const std::string_view text = value.text();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isNumber = error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
    return isNumber ? std::optional(number) : std::nullopt;
}

/// Returns the data of the graph "main", or of the only graph.
JsonValue dataOfMain(JsonValue root)
{
    if (root.member("results"))
        return root;
    if (const JsonValue main = root.member("main"))
        return main;
    const JsonValue first = root.is(JsonType::object) ? root.firstItem() : JsonValue();
    return first && !first.nextMember() ? first.memberValue() : JsonValue();
}

} // namespace

bool isNodeData(JsonValue root)
{
    return dataOfMain(root).member("results").is(JsonType::object);
}

std::string nodeDataText(const Program& program, const NodeData& data)
{
    const Graph& graph = program.rootGraph();
    std::string text = "{\"main\":{\"name\":";
    appendJsonString(text, data.name);
    text += ",\"showExpandedSummaryOnGroupNode\":true,\"results\":{";
    for (const NodeId id : graph.nodes()) {
        const std::optional<double>& value = data.values[id.index()];
        if (!value)
            continue;
        text += text.back() == '{' ? "\n" : ",\n";
        appendJsonString(text, graph[id].name.view());
        appendJsonFloat(text += ":{\"value\":", *value);
        text += '}';
    }
    // From light to dark, distinguishable without red and green.
    return text
        + "},\n\"gradient\":[{\"stop\":0,\"bgColor\":\"#fcfdbf\",\"textColor\":\"#000000\"},"
          "{\"stop\":0.5,\"bgColor\":\"#fc8961\",\"textColor\":\"#000000\"},"
          "{\"stop\":1,\"bgColor\":\"#51127c\",\"textColor\":\"#ffffff\"}]}}\n";
}

Result<NodeData> parseNodeData(const Program& program, std::string_view text, const std::string& nameForMessages)
{
    const JsonFile file("node data file", nameForMessages);
    JsonTape tape;
    SUNDER_PROPAGATE(file.parse(tape, text, kMaxNodeDataDepth));
    const JsonValue data = dataOfMain(tape.root());
    const JsonValue results = data.member("results");
    if (!results.is(JsonType::object))
        return file.wrong("lacks the object \"results\" of the graph \"main\"", "");
    const Graph& graph = program.rootGraph();
    const NodeIndex index(graph);
    NodeData read{.name = std::string(data.member("name").textOr("")), .values = {}};
    read.values.resize(graph.idBound());
    for (JsonValue key = results.firstItem(); key; key = key.nextMember()) {
        const std::string name(key.text());
        const auto refused = [&](const std::string& what) {
            return fail(ErrorCode::refused, "the node data file " + what,
                        {.file = nameForMessages, .member = "results." + name, .node = name});
        };
        const NodeId id = index.find(intern(name));
        if (!id.isValid())
            return refused("names \"" + name + "\", which is not a node of the model");
        // A number, or an object that may also have a color.
        const JsonValue given = key.memberValue();
        const std::optional<double> number = numberOf(given.is(JsonType::object) ? given.member("value") : given);
        if (!number)
            return refused("must have a number for \"" + name + '"');
        read.values[id.index()] = number;
    }
    return read;
}

Result<NodeData> readNodeData(const Program& program, const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxNodeDataBytes));
    return parseNodeData(program, text, path);
}

} // namespace sunder
