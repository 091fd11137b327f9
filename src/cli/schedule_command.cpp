#include "analysis/schedule/planned_schedule.h"
#include "cli/command.h"
#include "cli/drawing.h"
#include "cli/files.h"
#include "cli/project_input.h"
#include "cli/schedule_sweep.h"
#include "cli/tags.h"
#include "cli/timed_costs.h"
#include "io/side_files/schedule_files.h"
#include "support/file.h"
#include "support/format.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

namespace sunder::cli {
namespace {

constexpr CommandOption kScheduleOptions[] = {
    {Takes::input, "tags", "TAGS.json", "Stage of each op, in the order of the tags. Default: the tags in the model."},
    {Takes::text, "schedule", "NAME",
     "GPipe, 1F1B, LoopedBFS, Interleaved1F1B, InterleavedZeroBubble, ZBVZeroBubble, DualPipeV, or inference, in any case. With "
     "--sweep, several separated by commas; by default, all but inference."},
    CommandOption{
        Takes::number, "ranks", "P",
        "Number of ranks. Needed without IN. Default: the number of stages, or half of it for schedules with several stages "
        "per rank."}
        .between(1, 4096),
    CommandOption{Takes::text, "micro-batches", "M",
                  "Number of micro-batches of a step. The model is one of them. With --sweep, several separated by commas."}
        .required(),
    CommandOption{Takes::input, "costs", "COSTS", "Measured costs, as for costs. The last value of a node is used."}.repeatable(),
    {Takes::input, "devices", "DEVICES.json", "Devices of the ranks, in order. Default: equal devices without a memory limit."},
    kOptimizerOption,
    CommandOption{Takes::nothing, "sweep", "", "Compare schedules, micro-batches, and numbers of stages, and mark the best."}
        .excluding("csv trace ranks"),
    CommandOption{Takes::text, "stages", "K",
                  "Numbers of stages of --sweep, separated by commas: the model is balanced for each."}
        .needing("sweep"),
    {Takes::output, "o", "OUT", "Draw the timetable as .svg, .png, or .pdf. With --sweep, write the tags of the best row."},
    flag("dark", "Draw light colors on a dark background.").needing("o"),
    {Takes::output, "csv", "ORDERS.csv", "Write the actions of each rank for torch.distributed.pipelining."},
    {Takes::output, "trace", "TRACE.json", "Write the timetable as a Chrome trace, for Perfetto."},
};

std::string percent(double share)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f %%", 100 * share);
    return text.data();
}

Result<PipelineModelOptions> modelOptionsFor(const Invocation& invocation, const Program& program)
{
    PipelineModelOptions options{.statesPerParameter = statesPerParameter(invocation)};
    SUNDER_TRY(options.devices, devicesFor(invocation));
    SUNDER_TRY(options.measured, measuredCostsFor(invocation, program));
    return options;
}

Result<PipelineModel> modelFor(const Invocation& invocation)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(TagAssignment tags, tagsFor(invocation, program));
    SUNDER_TRY(const PipelineModelOptions options, modelOptionsFor(invocation, program));
    return invocation.timer.measure("costs",
                                    [&] { return pipelineModel(program, std::move(tags), options, invocation.monitor); });
}

Result<PlannedSchedule> planned(const Invocation& invocation)
{
    std::shared_ptr<const PipelineModel> model;
    SUNDER_TRY(const PipelineSchedule schedule, parsePipelineSchedule(invocation.value("schedule")));
    SUNDER_TRY(const std::vector<std::uint32_t> microBatches, numbersOf(invocation, "micro-batches"));
    if (microBatches.size() > 1)
        return fail(ErrorCode::usage, "several numbers of micro-batches need --sweep");
    PipelineSizes sizes{.microBatches = microBatches.front()};
    if (invocation.files.empty()) {
        for (const char* option : {"tags", "costs", "devices"})
            if (invocation.isSet(option))
                return fail(ErrorCode::usage, "--" + std::string(option) + " needs IN");
        if (!invocation.isSet("ranks"))
            return fail(ErrorCode::usage, "schedule needs IN or --ranks P");
        sizes.ranks = invocation.number("ranks");
        sizes.stages = sizes.ranks * (hasOneStagePerRank(schedule) ? 1 : 2);
    } else {
        SUNDER_TRY(PipelineModel made, modelFor(invocation));
        model = std::make_shared<const PipelineModel>(std::move(made));
        const std::optional<std::uint32_t> ranks = invocation.isSet("ranks") ? std::optional(invocation.number("ranks"))
                                                                             : std::nullopt;
        SUNDER_TRY(sizes, pipelineSizes(schedule, *model, sizes.microBatches, ranks));
    }
    return invocation.timer.measure("timetable", [&] { return plannedSchedule(schedule, sizes, model); });
}

void writeStages(const PlannedSchedule& plan, JsonWriter& json)
{
    json.key("stages");
    std::uint32_t at = 0;
    json.list(plan.model->stages, [&](const PipelineModel::Stage& stage) {
        json.object([&] {
            json.member("name", stage.name);
            json.member("rank", plan.order.rankOf[at]);
            json.member("ops", stage.ops);
            json.member("forward_seconds", plan.costs.stages[at].forward);
            json.member("backward_seconds", plan.costs.stages[at].backward);
            json.member("weights", stage.weights);
            json.member("gradients", stage.gradients);
            json.member("optimizer", stage.optimizer);
            json.member("kept_for_backward", stage.kept);
        });
        ++at;
    });
}

void writeRanks(const PlannedSchedule& plan, JsonWriter& json)
{
    json.key("ranks");
    std::uint32_t rank = 0;
    json.list(plan.times.ranks, [&](const RankTimes& times) {
        json.object([&] {
            std::optional<std::string> device;
            std::optional<std::uint64_t> peak;
            const std::optional<double> available = plan.availableOf(rank);
            if (plan.model) {
                device = plan.deviceName(rank);
                peak = times.peakBytes;
            }
            json.member("device", device);
            json.member("busy", times.busy);
            json.member("waits_for_transfer", times.waitsForTransfer);
            json.member("bubble", times.bubble);
            json.member("sends", times.sends);
            json.member("receives", times.receives);
            json.member("peak_bytes", peak);
            json.key("available_bytes");
            json.figureOrNull(available);
            json.member("binds", name(times.binding(available)));
        });
        ++rank;
    });
}

void writeTimes(const PlannedSchedule& plan, JsonWriter& json)
{
    struct Row {
        std::size_t rank;
        const TimedAction* timed;
    };
    std::vector<Row> rows;
    for (std::size_t rank = 0; rank < plan.times.actions.size(); ++rank)
        for (const TimedAction& timed : plan.times.actions[rank])
            rows.push_back({rank, &timed});
    json.key("actions");
    json.list(rows, [&](const Row& row) {
        json.object([&] {
            json.member("rank", row.rank);
            json.member("action", describe(row.timed->action));
            json.member("start", row.timed->start);
            json.member("end", row.timed->end);
        });
    });
    json.key("transfers");
    json.list(plan.times.transfers, [&](const TimedTransfer& transfer) {
        json.object([&] {
            json.member("from", transfer.from);
            json.member("to", transfer.to);
            json.member("micro_batch", transfer.microBatch);
            json.member("start", transfer.start);
            json.member("end", transfer.end);
        });
    });
}

void write(const PlannedSchedule& plan, JsonWriter& json)
{
    json.member("schedule", name(plan.order.schedule));
    json.member("micro_batches", plan.order.sizes.microBatches);
    json.key("orders");
    json.list(plan.order.ranks, [&](const std::vector<PipelineAction>& actions) { json.value(actionTexts(actions)); });
    json.member("step", plan.times.step);
    json.member("bubble", plan.times.bubble);
    json.key("in_flight");
    json.list(plan.times.ranks, [&](const RankTimes& rank) { json.value(rank.inFlight); });
    if (plan.order.schedule == PipelineSchedule::inference) {
        const InferenceFigures figures = inferenceFigures(plan.order, plan.costs);
        json.member("throughput", figures.throughput());
        json.member("latency", figures.latency);
        json.member("slowest", figures.slowest);
        json.member("slowest_by", figures.isTransfer ? "transfer" : "compute");
    }
    writeRanks(plan, json);
    if (plan.model)
        writeStages(plan, json);
    writeTimes(plan, json);
    if (plan.model)
        json.member("assumptions", plan.model->assumptionsFor(plan.order.schedule));
}

void say(const PlannedSchedule& plan, Outcome& outcome)
{
    const PipelineSizes& sizes = plan.order.sizes;
    outcome.say(std::string(name(plan.order.schedule)) + ": " + formatCount(sizes.stages, "stage") + " on "
                + formatCount(sizes.ranks, "rank") + ", " + formatCount(sizes.microBatches)
                + (sizes.microBatches == 1 ? " micro-batch" : " micro-batches") + ": step " + plan.timeText(plan.times.step)
                + (plan.model ? "" : " at unit times") + ", bubble " + percent(plan.times.bubble));
    if (plan.order.schedule == PipelineSchedule::inference) {
        const InferenceFigures figures = inferenceFigures(plan.order, plan.costs);
        std::array<char, 64> rate{};
        std::snprintf(rate.data(), rate.size(), "%.4g", figures.throughput());
        outcome.say("steady state: " + std::string(rate.data()) + " micro-batches per " + (plan.model ? "second" : "unit of time")
                    + ", latency " + plan.timeText(figures.latency) + ", limited by the "
                    + (figures.isTransfer ? "transfers" : "compute") + " of rank " + std::to_string(figures.slowest));
    }
    for (std::uint32_t rank = 0; rank < sizes.ranks; ++rank) {
        const RankTimes& times = plan.times.ranks[rank];
        const auto share = [&](double seconds) { return percent(plan.times.step > 0 ? seconds / plan.times.step : 0); };
        std::string line = "rank " + std::to_string(rank);
        const std::optional<double> available = plan.availableOf(rank);
        if (plan.model && plan.model->hasDevices)
            line += " on " + describe(plan.model->deviceOf(rank));
        line += ": busy " + plan.timeText(times.busy) + " (" + share(times.busy) + "), waits for transfers "
            + share(times.waitsForTransfer) + ", bubble " + share(times.bubble) + ", " + formatCount(times.inFlight)
            + " in flight";
        if (plan.model)
            line += ", peak " + formatBytes(times.peakBytes)
                + (available ? " of " + formatBytes(static_cast<std::uint64_t>(*available)) : "");
        if (available && static_cast<double>(times.peakBytes) > *available)
            line += ", does not fit";
        outcome.say(line + ", limited by " + std::string(name(times.binding(available))));
    }
    if (plan.model)
        for (const std::string& assumption : plan.model->assumptionsFor(plan.order.schedule))
            outcome.say("assumption: " + assumption);
}

Result<void> writeFiles(const Invocation& invocation, const PlannedSchedule& plan)
{
    const auto write = [&](const char* option, const std::string& text) {
        return invocation.outputs.write(invocation.value(option),
                                        [&](const std::string& at) { return writeFileAtomically(at, text); });
    };
    if (invocation.isSet("csv"))
        SUNDER_PROPAGATE(write("csv", scheduleCsv(plan.order)));
    if (!invocation.isSet("trace"))
        return {};
    return write("trace", scheduleTrace(plan.order, plan.times, plan.deviceNames()));
}

Result<Outcome> runSchedule(const Invocation& invocation)
{
    if (invocation.isSet("sweep")) {
        if (invocation.files.empty())
            return fail(ErrorCode::usage, "--sweep needs IN");
        SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
        SUNDER_TRY(const PipelineModelOptions options, modelOptionsFor(invocation, program));
        return runSweep(invocation, program, options);
    }
    if (!invocation.isSet("schedule"))
        return fail(ErrorCode::usage, "schedule needs --schedule NAME, or --sweep");
    const std::string picture = invocation.isSet("o") ? invocation.value("o") : "";
    if (!picture.empty() && !isPicture(picture))
        return fail(ErrorCode::usage, "schedule draws .svg, .png, or .pdf, not " + picture + "; --sweep writes tags");
    SUNDER_TRY(const PlannedSchedule plan, planned(invocation));
    SUNDER_PROPAGATE(writeFiles(invocation, plan));
    if (!picture.empty()) {
        SUNDER_TRY(const Drawing* const drawing, drawingOf(invocation));
        SUNDER_PROPAGATE(drawing->timeline(invocation, plan, picture, invocation.isSet("dark")));
    }
    Outcome outcome;
    write(plan, outcome.json);
    say(plan, outcome);
    return outcome;
}

} // namespace

Command scheduleCommand()
{
    return {"schedule", "[IN]", "Show the timetable of a pipeline: step time, bubble, memory of each device, and what limits it.",
            joined({kScheduleOptions}), runSchedule};
}

} // namespace sunder::cli
