#include "analysis/cost/node_costs.h"
#include "cli/command.h"
#include "cli/files.h"
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
        .between(0, 64)};

/// "1.2 GFLOP"
std::string formatFlops(const std::optional<std::uint64_t>& flops)
{
    if (!flops)
        return "unknown";
    constexpr std::array kUnits{"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"};
    auto number = static_cast<double>(*flops);
    std::size_t unit = 0;
    for (; number >= 999.95 && unit + 1 < kUnits.size(); ++unit)
        number /= 1000;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", number, kUnits[unit]);
    return text.data();
}

std::string lineOf(const std::string& name, std::uint32_t ops, const NodeCost& cost)
{
    return name + ": " + formatCount(ops, "op") + ", " + formatFlops(cost.flops) + ", " + formatBytes(cost.bytesRead) + " read, "
        + formatBytes(cost.bytesWritten) + " written";
}

void write(const NodeCost& cost, JsonWriter& json)
{
    if (cost.flops)
        json.member("flops", *cost.flops);
    json.member("bytes_read", cost.bytesRead);
    json.member("bytes_written", cost.bytesWritten);
}

/// Writes the members of a module or of the totals.
void write(const ModuleCost& module, JsonWriter& json)
{
    json.member("ops", module.ops);
    write(module.cost, json);
}

void writeNodes(const Program& program, const ProgramCosts& costs, JsonWriter& json)
{
    const Graph& graph = program.rootGraph();
    json.key("nodes");
    json.object([&] {
        for (const NodeId id : graph.order()) {
            if (!graph[id].isCall())
                continue;
            json.key(graph[id].name.view());
            json.object([&] {
                write(costs.nodes[id.index()], json);
                json.member("source", "model");
            });
        }
    });
}

void writeModules(const ProgramCosts& costs, JsonWriter& json)
{
    json.key("totals");
    json.object([&] {
        write(costs.modules.front(), json);
        json.member("unknown", costs.unknown);
    });
    json.key("modules");
    json.object([&] {
        for (const ModuleCost& module : costs.modules) {
            if (module.path.empty())
                continue;
            json.key(module.path.view());
            json.object([&] { write(module, json); });
        }
    });
}

void sayModules(const ProgramCosts& costs, std::uint32_t depth, Outcome& outcome)
{
    for (const ModuleCost& module : costs.modules) {
        const std::string_view path = module.path.view();
        const auto level = path.empty() ? 0 : 1 + std::ranges::count(path, '.');
        if (level <= depth)
            outcome.say(std::string(static_cast<std::size_t>(level) * 2, ' ')
                        + lineOf(path.empty() ? std::string("model") : std::string(path), module.ops, module.cost));
    }
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

Result<Outcome> runCosts(const Invocation& invocation)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const ProgramCosts costs,
               invocation.timer.measure("costs", [&] { return programCosts(program, invocation.monitor); }));
    Outcome outcome;
    JsonWriter& json = outcome.json;
    writeNodes(program, costs, json);
    json.key("not_counted");
    json.list(costs.uncounted, [&](const UncountedOperator& row) {
        json.object([&] {
            json.member("target", row.target.view());
            json.member("nodes", row.nodes);
            json.member("bytes", row.bytes);
        });
    });
    writeModules(costs, json);
    sayModules(costs, invocation.number("depth"), outcome);
    if (costs.unknown > 0)
        outcome.say(formatCount(costs.unknown, "op") + " with operands of unknown size, not counted");
    sayUncounted(costs, outcome);
    return outcome;
}

} // namespace

Command costsCommand()
{
    return {"costs", "IN", "Count the floating-point operations and bytes of each node, module, and operator.",
            joined({kCostsOptions}), runCosts};
}

} // namespace sunder::cli
