#include "analysis/search/node_matcher.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/project_input.h"
#include "cli/tags.h"
#include "cli/timed_costs.h"
#include "passes/balance/balance_program.h"
#include "support/file.h"
#include "support/format.h"

#include <QElapsedTimer>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace sunder::cli {
namespace {

constexpr CommandOption kBalanceOptions[] = {
    CommandOption{Takes::number, "stages", "K", "Make K stages on equal devices without a memory limit."}
        .between(1, 4096)
        .excluding("devices"),
    {Takes::input, "devices", "DEVICES.json", "Make a stage for each device of this file, in order."},
    CommandOption{Takes::input, "costs", "COSTS", "Measured costs, as for costs. The last value of a node is used."}.repeatable(),
    CommandOption{Takes::text, "together", "NAMES", "Ops or modules for one device, separated by commas."}.repeatable(),
    flag("at-modules", "Cut only where modules begin and end."),
    flag("overlap", "Assume that transfers run during compute: a load is the larger of both."),
    CommandOption{Takes::nothing, "any-order", "", "Use the devices in any order, not only in that of the file."}.needing(
        "devices"),
    CommandOption{Takes::word, "objective", "load|step",
                  "What to minimize: the load of the slowest device, or the step of a schedule. Default: load."}
        .usually("load"),
    CommandOption{Takes::text, "schedule", "NAME", "Pipeline schedule of --objective step, as for schedule."}.needing(
        "micro-batches"),
    CommandOption{Takes::number, "micro-batches", "M", "Number of micro-batches of a step. The model is one of them."}
        .between(1, 1'000'000)
        .needing("schedule"),
    CommandOption{Takes::decimal, "time-limit", "SECONDS", "Effort of the search, in seconds of a common processor. Default: 10."}
        .usually("10")
        .between(0.01, 86400),
    CommandOption{Takes::text, "why", "NAME",
                  "Explain the stage of an op, or a stage or device: what changes if ops move to the next or previous stage."}
        .repeatable(),
    CommandOption{Takes::output, "o", "TAGS.json", "Tags file to write."}.required(),
    {Takes::output, "report", "REPORT.json", "Write load, bound, and the figures of each device."},
};

/// Adds the calls with this name, or in the module with this path.
Result<void> addNamed(const Program& program, const std::string& name, std::vector<NodeId>& calls)
{
    const Graph& graph = program.rootGraph();
    const std::size_t before = calls.size();
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        if (graph[id].name.view() == name || isWithin(modulePathOf(program, graph[id]), name))
            calls.push_back(id);
    }
    return calls.size() > before
        ? Result<void>()
        : fail(ErrorCode::refused, "--together: no op or module is named \"" + name + "\"", {.node = name});
}

Result<BalanceOptions> optionsOf(const Invocation& invocation, const Program& program)
{
    BalanceOptions options{.stages = invocation.number("stages"),
                           .atModules = invocation.isSet("at-modules"),
                           .overlap = invocation.isSet("overlap"),
                           .anyOrder = invocation.isSet("any-order"),
                           .timeLimit = invocation.options.value(QStringLiteral("time-limit")).toDouble()};
    if (options.stages == 0) {
        SUNDER_TRY(options.devices, devicesFor(invocation));
        if (options.devices.empty())
            return fail(ErrorCode::usage, "balance needs --stages K or --devices DEVICES.json");
    }
    SUNDER_TRY(options.measured, measuredCostsFor(invocation, program));
    if ((invocation.value("objective") == "step") != invocation.isSet("schedule"))
        return fail(ErrorCode::usage, "--objective step and --schedule NAME need each other");
    if (invocation.isSet("schedule")) {
        SUNDER_TRY(const PipelineSchedule schedule, parsePipelineSchedule(invocation.value("schedule")));
        options.step = BalanceStep{schedule, invocation.number("micro-batches")};
    }
    for (const QString& names : invocation.options.values(QStringLiteral("together"))) {
        std::vector<NodeId> calls;
        for (const QString& name : names.split(u',', Qt::SkipEmptyParts))
            SUNDER_PROPAGATE(addNamed(program, name.trimmed().toStdString(), calls));
        options.together.push_back(std::move(calls));
    }
    return options;
}

std::vector<std::size_t> opsOf(const BalancePlan& plan)
{
    std::vector<std::size_t> ops(plan.result.loads.size(), 0);
    for (const std::uint32_t stage : plan.result.stageOf)
        ++ops[stage];
    return ops;
}

void write(const BalancePlan& plan, double seconds, JsonWriter& json)
{
    const BalanceResult& result = plan.result;
    const std::vector<std::size_t> ops = opsOf(plan);
    if (plan.step) {
        json.member("step", plan.step->step);
        json.member("step_bound", plan.step->bound);
        json.member("tried", plan.step->tried);
    }
    json.member("load", result.load);
    json.member("bound", result.bound);
    json.member("proven", result.isProven);
    json.key("gap");
    std::isfinite(result.gap()) ? json.value(result.gap()) : json.value(nullptr);
    json.key("devices");
    std::size_t stage = 0;
    json.list(result.loads, [&](const BalanceLoad& load) {
        const Device& device = plan.devices[result.deviceOf[stage]];
        json.object([&] {
            json.member("name", device.name);
            json.member("logical_id", device.logicalId);
            json.member("tag", plan.tags.order[stage].view());
            json.member("ops", ops[stage]);
            json.member("seconds", load.seconds);
            json.member("transfer_seconds", load.transfer);
            json.member("load", load.load);
            json.key("memory");
            json.figure(load.bytes);
            json.key("available");
            json.figureOrNull(device.availableBytes);
            json.member("binds", name(plan.bindings[stage]));
        });
        ++stage;
    });
    json.member("seconds", seconds);
    json.member("assumptions", plan.assumptions);
}

void say(const BalancePlan& plan, Outcome& outcome)
{
    const BalanceResult& result = plan.result;
    for (std::uint32_t stage = 0; stage < result.loads.size(); ++stage)
        outcome.say(describeStage(plan, stage));
    if (plan.step) {
        std::array<char, 64> gap{};
        std::snprintf(gap.data(), gap.size(), "%.2g %%",
                      plan.step->bound > 0 ? 100 * (plan.step->step / plan.step->bound - 1) : 0.0);
        outcome.say("step " + formatSeconds(plan.step->step) + ": at most " + gap.data() + " above the bound of "
                    + formatSeconds(plan.step->bound) + ", best of " + formatCount(plan.step->tried, "cut"));
    }
    outcome.say("largest load " + formatSeconds(result.load) + ": " + describeQuality(result)
                + (result.isProven ? "" : " (bound " + formatSeconds(result.bound) + ")"));
    for (const std::string& assumption : plan.assumptions)
        outcome.say("assumption: " + assumption);
}

/// Explains the stage of an op, or a stage by its tag or its device.
std::vector<std::string> whyOf(const Program& program, const BalancePlan& plan, const std::string& name)
{
    const Graph& graph = program.rootGraph();
    for (const NodeId id : graph.nodes()) {
        if (graph[id].name.view() != name || plan.nodeOf[id.index()] == BalancePlan::kNone)
            continue;
        std::vector<std::string> sentences{stageOfCall(program, plan, id)};
        std::ranges::move(whyInStage(program, plan, id), std::back_inserter(sentences));
        return sentences;
    }
    for (std::uint32_t stage = 0; stage < plan.result.deviceOf.size(); ++stage)
        if (plan.tags.order[stage].view() == name || plan.devices[plan.result.deviceOf[stage]].name == name)
            return whyStage(program, plan, stage);
    return {};
}

Result<void> explain(const Invocation& invocation, const Program& program, const BalancePlan& plan, Outcome& outcome)
{
    if (!invocation.isSet("why"))
        return {};
    outcome.json.key("why");
    outcome.json.beginObject();
    for (const QString& asked : invocation.options.values(QStringLiteral("why"))) {
        const std::string name = asked.toStdString();
        const std::vector<std::string> sentences = whyOf(program, plan, name);
        if (sentences.empty())
            return fail(ErrorCode::refused, "--why: no op, stage, or device is named \"" + name + "\"", {.node = name});
        for (std::size_t i = 0; i < sentences.size(); ++i)
            outcome.say((i > 0 ? "  " : "") + sentences[i]);
        outcome.json.member(name, sentences);
    }
    outcome.json.endObject();
    return {};
}

Result<Outcome> runBalance(const Invocation& invocation)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const BalanceOptions options, optionsOf(invocation, program));
    QElapsedTimer clock;
    clock.start();
    SUNDER_TRY(const BalancePlan plan,
               invocation.timer.measure("pass", [&] { return balanceProgram(program, options, invocation.monitor); }));
    const double seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
    SUNDER_PROPAGATE(invocation.outputs.write(invocation.value("o"),
                                              [&](const std::string& at) { return writeTags(program, plan.tags, at); }));
    Outcome outcome;
    write(plan, seconds, outcome.json);
    say(plan, outcome);
    SUNDER_PROPAGATE(explain(invocation, program, plan, outcome));
    if (!invocation.isSet("report"))
        return outcome;
    JsonWriter report(3);
    report.object([&] { write(plan, seconds, report); });
    SUNDER_PROPAGATE(invocation.outputs.write(
        invocation.value("report"), [text = report.take()](const std::string& at) { return writeFileAtomically(at, text); }));
    return outcome;
}

} // namespace

Command balanceCommand()
{
    return {"balance", "IN", "Tag a model so that the slowest device is as fast as possible, with a bound on the optimum.",
            joined({kBalanceOptions}), runBalance};
}

} // namespace sunder::cli
