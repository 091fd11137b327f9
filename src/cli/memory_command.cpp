#include "analysis/cut/part_measure.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "support/format.h"

#include <algorithm>

namespace sunder::cli {
namespace {

constexpr CommandOption kMemoryOptions[] = {
    {Takes::input, "tags", "TAGS.json", "Tag of each node, and the order of tags. Default: the tags in the model."}};

/// A part, or the whole model.
struct MeasuredPart {
    std::string name;
    PartMetrics metrics;
    std::vector<MemoryPoint> curve; ///< of its activations
};

std::vector<MeasuredPart> measuredParts(const CutGraph& graph, const TagAssignment& tags)
{
    std::vector<MeasuredPart> parts;
    if (tags.order.empty()) {
        MeasuredPart& whole = parts.emplace_back(MeasuredPart{.name = "model", .metrics = {}, .curve = {}});
        whole.metrics = measureProgram(graph, &whole.curve);
        return parts;
    }
    const std::vector<std::int32_t> partOf = partsOfCalls(graph, tags);
    const Rows calls = callsOfParts(partOf, tags.order.size());
    PartMeasure measure(graph, partOf);
    for (std::size_t i = 0; i < tags.order.size(); ++i) {
        MeasuredPart& part = parts.emplace_back(MeasuredPart{.name = tags.order[i].str(), .metrics = {}, .curve = {}});
        part.metrics = measure.measure(static_cast<std::int32_t>(i), calls[i], &part.curve);
    }
    return parts;
}

/// Returns the names of values and weights with unknown sizes, which count as 0.
std::vector<std::string> unknownSizes(const Program& program, const PartMetrics& metrics)
{
    std::vector<std::string> names;
    for (const NodeId id : metrics.unknownValues)
        names.push_back(program.rootGraph()[id].name.str());
    for (const TensorId id : metrics.unknownTensors)
        names.push_back(id ? program.tensors[id].fqn.str() : "a weight");
    return names;
}

void write(const Program& program, const MeasuredPart& part, JsonWriter& json)
{
    const Graph& graph = program.rootGraph();
    const PartSizes& sizes = part.metrics.sizes;
    json.object([&] {
        json.member("name", part.name);
        json.member("ops", sizes.ops);
        json.member("weights", sizes.parameterBytes);
        json.member("inputs", sizes.inputBytes);
        json.member("resident", sizes.residentBytes());
        json.member("peak", sizes.usedBytes());
        json.key("peak_node");
        if (part.metrics.peakAt)
            json.value(graph[part.metrics.peakAt].name.view());
        else
            json.value(nullptr);
        json.key("curve");
        json.list(part.curve, [&](const MemoryPoint& point) {
            json.object([&] {
                json.member("node", graph[point.call].name.view());
                json.member("bytes", sizes.residentBytes() + point.bytes);
            });
        });
        json.member("unknown", unknownSizes(program, part.metrics));
    });
}

void say(const Program& program, const MeasuredPart& part, Outcome& outcome)
{
    const PartSizes& sizes = part.metrics.sizes;
    std::string line = part.name + ": " + formatCount(sizes.ops, "op") + ", " + formatBytes(sizes.residentBytes()) + " resident ("
        + formatBytes(sizes.parameterBytes) + " weights, " + formatBytes(sizes.inputBytes) + " inputs), peak "
        + formatBytes(sizes.usedBytes());
    if (part.metrics.peakAt)
        line += " at " + program.rootGraph()[part.metrics.peakAt].name.str();
    outcome.say(std::move(line));
    if (const std::vector<std::string> unknown = unknownSizes(program, part.metrics); !unknown.empty())
        outcome.say("  " + formatCount(unknown.size(), "unknown size") + " counted as 0 bytes, first: " + unknown.front());
}

Result<Outcome> runMemory(const Invocation& invocation)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    TagAssignment tags = tagsOnNodes(program);
    if (invocation.isSet("tags")) {
        SUNDER_TRY(tags, tagsFor(invocation, program));
    }
    const CutGraph graph = invocation.timer.measure("pass", [&] { return cutGraph(program, MemoryRule::freesDead); });
    const std::vector<MeasuredPart> parts = invocation.timer.measure("pass", [&] { return measuredParts(graph, tags); });
    Outcome outcome;
    JsonWriter& json = outcome.json;
    json.key("parts");
    json.list(parts, [&](const MeasuredPart& part) { write(program, part, json); });
    std::uint64_t tagged = 0;
    for (const MeasuredPart& part : parts) {
        say(program, part, outcome);
        tagged += part.metrics.sizes.ops;
    }
    const std::uint64_t untagged = graph.callCount - tagged;
    if (untagged > 0)
        outcome.say(formatCount(untagged, "op") + " without a tag, not counted");
    json.key("assumptions");
    json.object([&] {
        json.member("mode", "inference");
        json.member("order", "graph");
        json.member("untagged", untagged);
    });
    return outcome;
}

} // namespace

Command memoryCommand()
{
    return {"memory", "IN", "Measure the memory of a model, or of each part, and its peak during a run.",
            joined({kMemoryOptions}), runMemory};
}

} // namespace sunder::cli
