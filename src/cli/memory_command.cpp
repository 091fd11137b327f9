#include "analysis/cut/part_memory.h"
#include "analysis/schedule/pipeline_order.h"
#include "analysis/training/training_graph.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "cli/timed_costs.h"
#include "support/format.h"

#include <algorithm>
#include <optional>

namespace sunder::cli {
namespace {

constexpr CommandOption kMemoryOptions[] = {
    {Takes::input, "tags", "TAGS.json", "Tag of each node, and the order of tags. Default: the tags in the model."},
    CommandOption{Takes::input, "costs", "COSTS",
                  "Extra memory of nodes and modules, and modules to recompute: COSTS.json or CSV."}
        .repeatable(),
    flag("training", "Also measure what training keeps: saved values, gradients, and the state of the optimizer."),
    kOptimizerOption.needing("training"),
    CommandOption{Takes::text, "schedule", "NAME", "Pipeline schedule of --training, as for schedule."}.needing("micro-batches"),
    CommandOption{Takes::number, "micro-batches", "M", "Number of micro-batches of a step. The model is one of them."}
        .between(1, 1'000'000)
        .needing("schedule"),
};

/// Returns the order of --schedule for a number of parts, each of them a stage; nothing without that option.
Result<std::optional<PipelineOrder>> orderFor(const Invocation& invocation, std::size_t parts)
{
    if (!invocation.isSet("schedule"))
        return std::nullopt;
    if (!invocation.isSet("training"))
        return fail(ErrorCode::usage, "--schedule needs --training");
    SUNDER_TRY(const PipelineSchedule schedule, parsePipelineSchedule(invocation.value("schedule")));
    if (schedule == PipelineSchedule::inference)
        return fail(ErrorCode::usage, "--training needs the schedule of a training step, not inference");
    SUNDER_TRY(const PipelineSizes sizes,
               pipelineSizes(schedule, static_cast<std::uint32_t>(parts), invocation.number("micro-batches")));
    SUNDER_TRY(PipelineOrder order, pipelineOrder(schedule, sizes));
    return order;
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

void write(const Program& program, const PartMemory& part, JsonWriter& json)
{
    const Graph& graph = program.rootGraph();
    const PartSizes& sizes = part.metrics.sizes;
    json.object([&] {
        json.member("name", part.name);
        json.member("ops", sizes.ops);
        json.member("weights", sizes.parameterBytes);
        json.member("inputs", sizes.inputBytes);
        if (part.extra > 0)
            json.member("extra", part.extra);
        json.member("resident", part.resident());
        json.member("peak", part.peak());
        json.key("peak_node");
        if (part.metrics.peakAt)
            json.value(graph[part.metrics.peakAt].name.view());
        else
            json.value(nullptr);
        json.key("curve");
        json.list(part.curve, [&](const MemoryPoint& point) {
            json.object([&] {
                json.member("node", graph[point.call].name.view());
                json.member("bytes", part.resident() + point.bytes);
            });
        });
        if (part.training) {
            json.member("in_flight", part.training->inFlight);
            json.member("kept_for_backward", part.training->kept);
            json.member("gradients", part.training->gradients);
            json.member("optimizer", part.training->optimizer);
            json.member("total", part.total());
        }
        json.member("unknown", unknownSizes(program, part.metrics));
    });
}

void say(const Program& program, const PartMemory& part, Outcome& outcome)
{
    const PartSizes& sizes = part.metrics.sizes;
    std::string line = part.name + ": " + formatCount(sizes.ops, "op") + ", " + formatBytes(part.resident()) + " resident ("
        + formatBytes(sizes.parameterBytes) + " weights, " + formatBytes(sizes.inputBytes) + " inputs"
        + (part.extra > 0 ? ", " + formatBytes(part.extra) + " extra" : "") + "), peak " + formatBytes(part.peak());
    if (part.metrics.peakAt)
        line += " at " + program.rootGraph()[part.metrics.peakAt].name.str();
    outcome.say(std::move(line));
    if (part.training)
        outcome.say("  " + formatBytes(part.training->kept) + " kept for backward (" + formatCount(part.training->inFlight)
                    + (part.training->inFlight == 1 ? " micro-batch" : " micro-batches") + "), "
                    + formatBytes(part.training->gradients) + " gradients, " + formatBytes(part.training->optimizer)
                    + " optimizer, total " + formatBytes(part.total()));
    if (const std::vector<std::string> unknown = unknownSizes(program, part.metrics); !unknown.empty())
        outcome.say("  " + formatCount(unknown.size(), "unknown size") + " counted as 0 bytes, first: " + unknown.front());
}

std::vector<std::string> namesOf(const std::vector<InternedString>& names)
{
    std::vector<std::string> texts;
    for (const InternedString name : names)
        texts.push_back(name.str());
    return texts;
}

Result<Outcome> runMemory(const Invocation& invocation)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    TagAssignment tags = tagsOnNodes(program);
    if (invocation.isSet("tags")) {
        SUNDER_TRY(tags, tagsFor(invocation, program));
    }
    SUNDER_TRY(const MeasuredCosts costs, measuredCostsFor(invocation, program));
    SUNDER_TRY(const std::optional<PipelineOrder> order, orderFor(invocation, std::max<std::size_t>(1, tags.order.size())));
    const bool isTraining = invocation.isSet("training");
    if (isTraining && trainingGraph(program).isTraining())
        return fail(ErrorCode::refused, "the model has a backward pass of its own; measure it without --training");
    std::optional<TrainingOptions> training;
    if (isTraining)
        training = {.inFlight = order ? order->inFlightOfStages() : std::vector<std::uint64_t>(),
                    .statesPerParameter = statesPerParameter(invocation)};
    const MemoryReport report = invocation.timer.measure("pass", [&] { return memoryReport(program, tags, costs, training); });
    Outcome outcome;
    JsonWriter& json = outcome.json;
    json.key("parts");
    json.list(report.parts, [&](const PartMemory& part) { write(program, part, json); });
    for (const PartMemory& part : report.parts)
        say(program, part, outcome);
    if (report.untagged > 0)
        outcome.say(formatCount(report.untagged, "op") + " without a tag, not counted");
    json.key("assumptions");
    json.object([&] {
        json.member("mode", isTraining ? "training" : "inference");
        json.member("order", "graph");
        json.member("untagged", report.untagged);
        if (!isTraining)
            return;
        json.member("device", "cpu");
        json.member("optimizer", invocation.value("optimizer"));
        if (order)
            json.member("schedule", name(order->schedule));
        json.member("micro_batches", order ? order->sizes.microBatches : 1U);
        json.member("recompute", namesOf(costs.recompute));
        json.member("saves_everything", report.assumed);
    });
    for (const std::string& target : report.assumed)
        outcome.say(target + ": assumed to save all operands and results");
    return outcome;
}

} // namespace

Command memoryCommand()
{
    return {"memory", "IN", "Measure the memory of a model, or of each part, and its peak during a run.",
            joined({kMemoryOptions}), runMemory};
}

} // namespace sunder::cli
