#include "analysis/cost/cost_figures.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/timed_costs.h"
#include "io/drawings/node_data.h"
#include "io/side_files/costs_file.h"
#include "support/file.h"
#include "support/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace sunder::cli {
namespace {

constexpr CommandOption kCostsOptions[] = {
    CommandOption{Takes::number, "depth", "N", "Maximum depth of printed modules, 0 to 64. Default: 1. --json lists all."}
        .usually("1")
        .between(0, 64),
    CommandOption{Takes::output, "o", "COSTS.json", "Write the seconds of each call."}.needing("devices costs"),
    {Takes::output, "node-data", "DATA.json", "Write the numbers for Model Explorer."},
    CommandOption{Takes::word, "figure", "seconds|flops|bytes|extra_bytes",
                  "Number to write with --node-data. Default: seconds, if known, else flops."}
        .needing("node-data"),
};

/// "1.2 GFLOP"
std::string formatFlops(const std::optional<std::uint64_t>& flops)
{
    return flops ? costText(CostUnit::flop, static_cast<double>(*flops)) : "unknown";
}

/// "0.75"
std::string shortText(double factor)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", factor);
    return text.data();
}

std::string lineOf(const std::string& name, std::uint32_t ops, const NodeCost& cost, const std::optional<double>& seconds)
{
    return name + ": " + formatCount(ops, "op") + ", " + formatFlops(cost.flops) + ", " + formatBytes(cost.bytesRead) + " read, "
        + formatBytes(cost.bytesWritten) + " written" + (seconds ? ", " + formatSeconds(*seconds) : "");
}

void write(const NodeCost& cost, JsonWriter& json)
{
    if (cost.flops)
        json.member("flops", *cost.flops);
    json.member("bytes_read", cost.bytesRead);
    json.member("bytes_written", cost.bytesWritten);
}

/// Writes the members of a module or of the totals.
void write(const TimedCosts& timed, std::size_t module, JsonWriter& json)
{
    json.member("ops", timed.costs.modules[module].ops);
    write(timed.costs.modules[module].cost, json);
    if (timed.ofModules[module])
        json.member("seconds", *timed.ofModules[module]);
}

void writeNodes(const Program& program, const TimedCosts& timed, JsonWriter& json)
{
    const Graph& graph = program.rootGraph();
    json.key("nodes");
    json.object([&] {
        for (const NodeId id : graph.order()) {
            if (!graph[id].isCall())
                continue;
            json.key(graph[id].name.view());
            json.object([&] {
                const NodeSeconds& seconds = timed.seconds.nodes[id.index()];
                write(timed.costs.nodes[id.index()], json);
                if (seconds.seconds)
                    json.member("seconds", *seconds.seconds);
                if (seconds.transferSeconds)
                    json.member("transfer_seconds", *seconds.transferSeconds);
                if (const std::uint64_t extra = timed.measured.of(id).extraBytes; extra > 0)
                    json.member("extra_bytes", extra);
                json.member("source", seconds.source ? timed.measured.sources[*seconds.source] : std::string("model"));
            });
        }
    });
}

void writeModules(const TimedCosts& timed, JsonWriter& json)
{
    json.key("totals");
    json.object([&] {
        write(timed, 0, json);
        json.member("unknown", timed.costs.unknown);
        json.member("measured", timed.seconds.measured);
        json.member("without_seconds", timed.seconds.unknown);
    });
    json.key("modules");
    json.object([&] {
        for (std::size_t i = 1; i < timed.costs.modules.size(); ++i) {
            json.key(timed.costs.modules[i].path.view());
            json.object([&] { write(timed, i, json); });
        }
    });
}

/// Writes the factors of the cost model, the defaults without a device.
void writeModel(const TimedCosts& timed, JsonWriter& json)
{
    const CostModel model = timed.seconds.model.value_or(CostModel());
    json.key("model");
    json.object([&] {
        json.memberIfAny("device", timed.device);
        json.member("compute_efficiency", model.computeEfficiency);
        json.member("memory_efficiency", model.memoryEfficiency);
        json.member("link_efficiency", kDefaultLinkEfficiency);
        json.member("launch_seconds", model.launchSeconds);
        if (!timed.seconds.model)
            return;
        json.key("memory_bandwidth_bytes_per_s");
        json.figure(model.memoryBytesPerSecond);
        json.member("speed", model.speed);
        json.key("rates");
        json.object([&] {
            for (const CostModel::Rate& rate : model.rates) {
                json.key(rate.dtype);
                json.object([&] {
                    json.key("flops_per_s");
                    json.figure(rate.used.flopsPerSecond);
                    json.member("stated_for", rate.used.dtype);
                });
            }
        });
    });
}

void sayModules(const TimedCosts& timed, std::uint32_t depth, Outcome& outcome)
{
    for (std::size_t i = 0; i < timed.costs.modules.size(); ++i) {
        const ModuleCost& module = timed.costs.modules[i];
        const std::string_view path = module.path.view();
        const auto level = path.empty() ? 0 : 1 + std::ranges::count(path, '.');
        if (level <= depth)
            outcome.say(
                std::string(static_cast<std::size_t>(level) * 2, ' ')
                + lineOf(path.empty() ? std::string("model") : std::string(path), module.ops, module.cost, timed.ofModules[i]));
    }
}

void writeTraces(const Graph& graph, const std::vector<TraceMatch>& traces, JsonWriter& json)
{
    if (traces.empty())
        return;
    json.key("traces");
    json.list(traces, [&](const TraceMatch& trace) {
        json.object([&] {
            json.member("file", trace.file);
            json.member("by", trace.byName ? "name" : trace.hasShapes ? "operator, shapes, and dtypes" : "operator");
            json.member("runs", trace.runs);
            json.member("matched", trace.matched);
            json.key("ambiguous");
            json.list(trace.ambiguous, [&](const TraceMatch::Ambiguous& row) {
                json.object([&] {
                    json.member("op", row.op);
                    json.member("first", graph[row.first].name.view());
                    json.member("nodes", row.nodes);
                    json.member("events", row.events);
                });
            });
            json.key("unmatched");
            json.list(trace.unmatched, [&](NodeId id) { json.value(graph[id].name.view()); });
            json.key("unmatched_events");
            json.object([&] {
                for (const auto& [op, count] : trace.unmatchedEvents)
                    json.member(op, count);
            });
        });
    });
}

void sayTrace(const Graph& graph, const TraceMatch& trace, Outcome& outcome)
{
    constexpr std::size_t kMaxNames = 5;
    outcome.say("trace " + trace.file + ": matched " + formatCount(trace.matched, "op") + " in " + formatCount(trace.runs, "run")
                + (trace.byName          ? ", by name"
                       : trace.hasShapes ? ""
                                         : ", by operator only; record_shapes=True is more exact"));
    for (const TraceMatch::Ambiguous& row : trace.ambiguous)
        outcome.say("  ambiguous: " + formatCount(row.events, "event") + " of " + row.op + " for " + formatCount(row.nodes, "op")
                    + " like \"" + graph[row.first].name.str() + '"');
    std::string names;
    for (std::size_t i = 0; i < std::min(kMaxNames, trace.unmatched.size()); ++i)
        names += (i == 0 ? "" : ", ") + graph[trace.unmatched[i]].name.str();
    if (!trace.unmatched.empty())
        outcome.say("  " + formatCount(trace.unmatched.size(), "op") + " without an event: " + names
                    + (trace.unmatched.size() > kMaxNames ? ", …" : ""));
    if (!trace.unmatchedEvents.empty())
        outcome.say("  " + formatCount(trace.unmatchedEvents.size(), "operator") + " in the trace without an op of the model");
}

/// Says where the seconds come from.
void saySeconds(const TimedCosts& timed, Outcome& outcome)
{
    if (timed.seconds.measured > 0)
        outcome.say("measured seconds: " + formatCount(timed.seconds.measured, "op")
                    + (timed.measured.device.empty() ? "" : ", on " + timed.measured.device));
    if (timed.seconds.model) {
        const CostModel& model = *timed.seconds.model;
        std::string line = "cost model: device " + timed.device + ", " + prefixedText(model.memoryBytesPerSecond, "B/s") + " × "
            + shortText(model.memoryEfficiency);
        for (const CostModel::Rate& rate : model.rates)
            line += ", " + rate.dtype + " " + prefixedText(rate.used.flopsPerSecond, "FLOP/s") + " × "
                + shortText(model.computeEfficiency);
        outcome.say(line + ", " + formatSeconds(model.launchSeconds) + " per call");
    }
    if (timed.seconds.unknown > 0 && (timed.seconds.model || timed.seconds.measured > 0))
        outcome.say(formatCount(timed.seconds.unknown, "op") + " without seconds");
}

void sayUncounted(const ProgramCosts& costs, Outcome& outcome)
{
    constexpr std::size_t kMaxLines = 10;
    if (costs.uncounted.empty())
        return;
    const std::uint64_t all = std::max<std::uint64_t>(1, costs.total().bytesRead + costs.total().bytesWritten);
    outcome.say("operators without a formula, counted as 0 FLOP:");
    for (std::size_t i = 0; i < std::min(kMaxLines, costs.uncounted.size()); ++i) {
        const UncountedOperator& row = costs.uncounted[i];
        const long percent = std::lround(100.0 * static_cast<double>(row.bytes) / static_cast<double>(all));
        outcome.say("  " + row.target.str() + ": " + formatCount(row.nodes, "op") + ", " + formatBytes(row.bytes) + ", "
                    + std::to_string(percent) + "% of the bytes");
    }
    if (costs.uncounted.size() > kMaxLines)
        outcome.say("  and " + formatCount(costs.uncounted.size() - kMaxLines, "more operator"));
}

/// Returns the numbers of --figure.
NodeData nodeData(const Program& program, const TimedCosts& timed, std::string figure)
{
    const bool hasSeconds = timed.ofModules.front().has_value();
    if (figure.empty())
        figure = hasSeconds ? "seconds" : "flops";
    NodeData data{.name = figure, .values = {}};
    data.values.resize(program.rootGraph().idBound());
    for (const NodeId id : program.rootGraph().nodes()) {
        if (!program.rootGraph()[id].isCall())
            continue;
        const NodeCost& cost = timed.costs.nodes[id.index()];
        std::optional<double>& value = data.values[id.index()];
        if (figure == "seconds")
            value = timed.seconds.nodes[id.index()].seconds;
        else if (figure == "bytes")
            value = static_cast<double>(cost.bytesRead + cost.bytesWritten);
        else if (figure == "extra_bytes")
            value = static_cast<double>(timed.measured.of(id).extraBytes);
        else if (cost.flops)
            value = static_cast<double>(*cost.flops);
    }
    return data;
}

Result<void> writeCostFiles(const Invocation& invocation, const Program& program, const TimedCosts& timed)
{
    const auto write = [&](const char* option, const std::string& text) -> Result<void> {
        return invocation.outputs.write(invocation.value(option),
                                        [&](const std::string& at) { return writeFileAtomically(at, text); });
    };
    if (invocation.isSet("o")) {
        const std::string& device = timed.device.empty() ? timed.measured.device : timed.device;
        SUNDER_PROPAGATE(write("o", costsFileText(program, timed.seconds, timed.measured, device)));
    }
    if (!invocation.isSet("node-data"))
        return {};
    const std::string figure = invocation.value("figure");
    if (figure == "seconds" && !timed.ofModules.front())
        return fail(ErrorCode::usage, "--figure seconds needs --devices or --costs");
    return write("node-data", nodeDataText(program, nodeData(program, timed, figure)));
}

Result<Outcome> runCosts(const Invocation& invocation)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const TimedCosts timed, timedCosts(invocation, program));
    SUNDER_PROPAGATE(writeCostFiles(invocation, program, timed));
    Outcome outcome;
    JsonWriter& json = outcome.json;
    writeNodes(program, timed, json);
    json.key("not_counted");
    json.list(timed.costs.uncounted, [&](const UncountedOperator& row) {
        json.object([&] {
            json.member("target", row.target.view());
            json.member("nodes", row.nodes);
            json.member("bytes", row.bytes);
        });
    });
    writeModules(timed, json);
    writeModel(timed, json);
    writeTraces(program.rootGraph(), timed.measured.traces, json);
    sayModules(timed, invocation.number("depth"), outcome);
    saySeconds(timed, outcome);
    for (const TraceMatch& trace : timed.measured.traces)
        sayTrace(program.rootGraph(), trace, outcome);
    if (timed.costs.unknown > 0)
        outcome.say(formatCount(timed.costs.unknown, "op") + " with operands of unknown size, not counted");
    sayUncounted(timed.costs, outcome);
    return outcome;
}

} // namespace

Command costsCommand()
{
    return {"costs", "IN", "Count the operations and bytes of each node and module, and estimate their seconds.",
            joined({timedCostsOptions(), kCostsOptions}), runCosts};
}

} // namespace sunder::cli
