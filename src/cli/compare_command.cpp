#include "analysis/cut/compare_cuts.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/project_input.h"
#include "cli/tags.h"
#include "cli/timed_costs.h"
#include "passes/balance/cut_figures.h"
#include "support/format.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

namespace sunder::cli {
namespace {

constexpr CommandOption kCompareOptions[] = {
    flag("loads", "Compare the loads of the stages, with the bound of the best cut. Tags are stages, in their order."),
    CommandOption{Takes::text, "schedule", "NAME", "Compare the step of a pipeline schedule, as for schedule."}.needing(
        "micro-batches"),
    CommandOption{Takes::number, "micro-batches", "M", "Number of micro-batches of a step. The model is one of them."}
        .between(1, 1'000'000)
        .needing("schedule"),
    CommandOption{Takes::input, "costs", "COSTS", "Measured costs, as for costs. The last value of a node is used."}
        .repeatable()
        .needing("loads schedule"),
    CommandOption{Takes::input, "devices", "DEVICES.json",
                  "Devices of the stages, in order. Default: equal devices without a memory limit."}
        .needing("loads schedule"),
    CommandOption{Takes::nothing, "overlap", "", "Assume that transfers run during compute: a load is the larger of both."}
        .needing("loads"),
    kOptimizerOption.needing("schedule"),
    CommandOption{Takes::decimal, "time-limit", "SECONDS",
                  "Effort of the search for the bound, in seconds of a common processor. Default: 10."}
        .usually("10")
        .between(0.01, 86400)
        .needing("loads"),
};

std::string nameOf(const TagAssignment& tags, std::int32_t part)
{
    return part < 0 ? std::string("no part") : tags.order[static_cast<std::size_t>(part)].str();
}

/// Writes the members "before" and "after" with the names of parts, or null.
void writeNames(const TagAssignment& before, std::int32_t partBefore, const TagAssignment& after, std::int32_t partAfter,
                JsonWriter& json)
{
    const auto write = [&json](const char* key, const TagAssignment& tags, std::int32_t part) {
        json.member(key, part < 0 ? std::nullopt : std::optional(nameOf(tags, part)));
    };
    write("before", before, partBefore);
    write("after", after, partAfter);
}

void writePair(const char* key, std::uint64_t before, std::uint64_t after, JsonWriter& json)
{
    json.key(key);
    json.object([&] {
        json.member("before", before);
        json.member("after", after);
    });
}

std::string change(std::uint64_t before, std::uint64_t after)
{
    if (before == after)
        return formatBytes(before) + ", no change";
    const std::string by = after > before ? "+" + formatBytes(after - before) : "-" + formatBytes(before - after);
    return formatBytes(before) + " before, " + formatBytes(after) + " after (" + by + ")";
}

std::uint64_t usedBytes(const CutMetrics& metrics, std::int32_t part)
{
    return part < 0 ? 0 : metrics.parts[static_cast<std::size_t>(part)].sizes.usedBytes();
}

/// Adds the sizes of both cuts, per part and in total.
void addSizes(const CutComparison& cuts, const TagAssignment& before, const TagAssignment& after, Outcome& outcome)
{
    JsonWriter& json = outcome.json;
    json.key("parts");
    json.list(cuts.parts, [&](const PartPair& pair) {
        const std::uint64_t usedBefore = usedBytes(cuts.before, pair.before);
        const std::uint64_t usedAfter = usedBytes(cuts.after, pair.after);
        const std::string first = nameOf(before, pair.before);
        const std::string second = nameOf(after, pair.after);
        outcome.say("part "
                    + (pair.after < 0                           ? first
                           : pair.before < 0 || first == second ? second
                                                                : first + ", now " + second)
                    + ": "
                    + (pair.before < 0      ? "new, " + formatBytes(usedAfter)
                           : pair.after < 0 ? "removed, " + formatBytes(usedBefore)
                                            : change(usedBefore, usedAfter)));
        json.object([&] {
            writeNames(before, pair.before, after, pair.after, json);
            writePair("used", usedBefore, usedAfter, json);
        });
    });
    const std::uint64_t largestBefore = usedBytes(cuts.before, cuts.before.largest);
    const std::uint64_t largestAfter = usedBytes(cuts.after, cuts.after.largest);
    outcome.say("cut: " + change(cuts.before.cutBytes, cuts.after.cutBytes));
    outcome.say("duplicate weights: " + change(cuts.before.duplicatedBytes, cuts.after.duplicatedBytes));
    outcome.say("largest part: " + change(largestBefore, largestAfter));
    writePair("cut", cuts.before.cutBytes, cuts.after.cutBytes, json);
    writePair("duplicated", cuts.before.duplicatedBytes, cuts.after.duplicatedBytes, json);
    writePair("largest", largestBefore, largestAfter, json);
}

std::string relativeChange(double before, double after)
{
    if (before == after)
        return "no change";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%+.1f %%", before > 0 ? 100 * (after / before - 1) : 100.0);
    return text.data();
}

std::string change(double before, double after)
{
    return formatSeconds(before) + " before, " + formatSeconds(after) + " after (" + relativeChange(before, after) + ")";
}

/// The figures of both cuts.
struct BothFigures {
    CutFigures before;
    CutFigures after;
    std::optional<LoadBound> boundBefore = {};
    std::optional<LoadBound> boundAfter = {};
};

Result<CutFiguresOptions> figuresOptions(const Invocation& invocation, const Program& program)
{
    CutFiguresOptions options{.overlap = invocation.isSet("overlap"),
                              .statesPerParameter = statesPerParameter(invocation),
                              .timeLimit = invocation.options.value(QStringLiteral("time-limit")).toDouble()};
    SUNDER_TRY(options.devices, devicesFor(invocation));
    SUNDER_TRY(options.measured, measuredCostsFor(invocation, program));
    if (invocation.isSet("schedule")) {
        SUNDER_TRY(const PipelineSchedule schedule, parsePipelineSchedule(invocation.value("schedule")));
        options.step = BalanceStep{schedule, invocation.number("micro-batches")};
    }
    return options;
}

/// Computes the figures of the cut in a file. Refuses a cut without the requested figures.
Result<CutFigures> figuresOf(const Invocation& invocation, const Program& program, const TagAssignment& tags,
                             const CutFiguresOptions& options, const std::string& file)
{
    SUNDER_TRY(CutFigures figures, cutFigures(program, tags, options, invocation.monitor));
    if (invocation.isSet("loads") && !figures.loads)
        return fail(ErrorCode::refused, "no loads: " + figures.whyNoLoads, {.file = file});
    if (options.step && !figures.step)
        return fail(ErrorCode::refused, "no timetable: " + figures.whyNoStep, {.file = file});
    return figures;
}

Result<BothFigures> bothFigures(const Invocation& invocation, const Program& program, const TagAssignment& before,
                                const TagAssignment& after)
{
    SUNDER_TRY(const CutFiguresOptions options, figuresOptions(invocation, program));
    BothFigures both;
    SUNDER_TRY(both.before, figuresOf(invocation, program, before, options, invocation.files[1]));
    SUNDER_TRY(both.after, figuresOf(invocation, program, after, options, invocation.files[2]));
    if (invocation.isSet("loads")) {
        const auto stagesOf = [](const CutFigures& cut) { return static_cast<std::uint32_t>(cut.stages.size()); };
        SUNDER_TRY(both.boundBefore, loadBound(program, stagesOf(both.before), options, invocation.monitor));
        both.boundAfter = both.boundBefore;
        if (stagesOf(both.after) != stagesOf(both.before)) {
            SUNDER_TRY(both.boundAfter, loadBound(program, stagesOf(both.after), options, invocation.monitor));
        }
    }
    return both;
}

void writeLoads(const CutFigures& cut, const LoadBound& bound, JsonWriter& json)
{
    const double load = cut.loads->result.load;
    json.object([&] {
        json.member("load", load);
        json.member("bound", bound.bound);
        json.member("proven", bound.isProven);
        json.key("gap");
        json.figureOrNull(gapOf(load, bound));
        json.key("stages");
        std::size_t stage = 0;
        json.list(cut.loads->result.loads, [&](const BalanceLoad& one) {
            json.object([&] {
                json.member("tag", cut.stages[stage]);
                json.member("device", cut.devices[stage].name);
                json.member("seconds", one.seconds);
                json.member("transfer_seconds", one.transfer);
                json.member("load", one.load);
                json.key("memory");
                json.figure(one.bytes);
                json.key("available");
                json.figureOrNull(cut.devices[stage].availableBytes);
                json.member("binds", name(cut.loads->bindings[stage]));
            });
            ++stage;
        });
    });
}

void addLoads(const BothFigures& both, Outcome& outcome)
{
    const std::vector<BalanceLoad>& before = both.before.loads->result.loads;
    const std::vector<BalanceLoad>& after = both.after.loads->result.loads;
    outcome.say("largest load: " + change(both.before.loads->result.load, both.after.loads->result.load));
    for (std::size_t stage = 0; stage < std::max(before.size(), after.size()); ++stage) {
        const bool isLonger = stage >= before.size();
        const std::string tag = isLonger ? both.after.stages[stage] : both.before.stages[stage];
        const std::string now = stage < after.size() && !isLonger && tag != both.after.stages[stage]
            ? ", now " + both.after.stages[stage]
            : std::string();
        outcome.say("  " + tag + now + ": "
                    + (isLonger                    ? "new, " + formatSeconds(after[stage].load)
                           : stage >= after.size() ? "removed, " + formatSeconds(before[stage].load)
                                                   : change(before[stage].load, after[stage].load)));
    }
    const auto quality = [](const CutFigures& cut, const LoadBound& bound) {
        return describeQuality(cut.loads->result.load, bound) + " (bound " + formatSeconds(bound.bound) + ")";
    };
    outcome.say("before: " + quality(both.before, *both.boundBefore));
    outcome.say("after: " + quality(both.after, *both.boundAfter));
    JsonWriter& json = outcome.json;
    json.key("loads");
    json.object([&] {
        json.key("before");
        writeLoads(both.before, *both.boundBefore, json);
        json.key("after");
        writeLoads(both.after, *both.boundAfter, json);
    });
}

void writeStep(const char* key, const PlannedSchedule& plan, JsonWriter& json)
{
    json.key(key);
    json.object([&] {
        json.member("step", plan.times.step);
        json.member("bubble", plan.times.bubble);
        json.key("ranks");
        std::uint32_t rank = 0;
        json.list(plan.times.ranks, [&](const RankTimes& times) {
            const std::optional<double> available = plan.availableOf(rank);
            json.object([&] {
                json.member("device", plan.deviceName(rank));
                json.member("busy", times.busy);
                json.member("peak_bytes", times.peakBytes);
                json.key("available_bytes");
                json.figureOrNull(available);
                json.member("binds", name(times.binding(available)));
            });
            ++rank;
        });
    });
}

void addSteps(const PlannedSchedule& before, const PlannedSchedule& after, Outcome& outcome)
{
    outcome.say(std::string(name(before.order.schedule)) + ", " + formatCount(before.order.sizes.microBatches)
                + (before.order.sizes.microBatches == 1 ? " micro-batch" : " micro-batches") + ": step "
                + change(before.times.step, after.times.step) + ", bubble " + before.bubbleText() + " before, "
                + after.bubbleText() + " after");
    for (std::uint32_t rank = 0; rank < std::max(before.times.ranks.size(), after.times.ranks.size()); ++rank) {
        const bool isNew = rank >= before.times.ranks.size();
        const bool isRemoved = rank >= after.times.ranks.size();
        const auto peak = [rank](const PlannedSchedule& plan) { return plan.times.ranks[rank].peakBytes; };
        const auto limit = [rank](const PlannedSchedule& plan) {
            const std::optional<double> available = plan.availableOf(rank);
            return available ? " of " + formatBytes(static_cast<std::uint64_t>(*available)) : std::string();
        };
        const PlannedSchedule& one = isRemoved ? before : after;
        outcome.say("  peak of " + one.deviceName(rank) + ": "
                    + (isNew           ? "new, " + formatBytes(peak(after))
                           : isRemoved ? "unused, " + formatBytes(peak(before)) + " before"
                                       : change(peak(before), peak(after)))
                    + limit(one));
    }
    JsonWriter& json = outcome.json;
    json.key("step");
    json.object([&] {
        json.member("schedule", name(before.order.schedule));
        json.member("micro_batches", before.order.sizes.microBatches);
        writeStep("before", before, json);
        writeStep("after", after, json);
    });
}

/// Adds what --loads and --schedule ask for.
Result<void> addFigures(const Invocation& invocation, const Program& source, const TagAssignment& before,
                        const TagAssignment& after, Outcome& outcome)
{
    SUNDER_TRY(const BothFigures both,
               invocation.timer.measure("costs", [&] { return bothFigures(invocation, source, before, after); }));
    if (both.boundBefore)
        addLoads(both, outcome);
    if (both.before.step)
        addSteps(*both.before.step, *both.after.step, outcome);
    outcome.json.member("assumptions", both.before.assumptions);
    for (const std::string& assumption : both.before.assumptions)
        outcome.say("assumption: " + assumption);
    return {};
}

Result<Outcome> runCompare(const Invocation& invocation)
{
    SUNDER_TRY(const Program source, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const TagAssignment before, readTags(source, invocation.files[1]));
    SUNDER_TRY(const TagAssignment after, readTags(source, invocation.files[2]));
    const CutComparison cuts = invocation.timer.measure("pass", [&] { return compareCuts(cutGraph(source), before, after); });
    Outcome outcome;
    outcome.say(formatCount(cuts.moved.size(), "op") + " moved");
    for (const MoveGroup& group : cuts.groups)
        outcome.say("  " + formatCount(group.calls, "op") + " from " + nameOf(before, group.before) + " to "
                    + nameOf(after, group.after) + ", " + formatBytes(group.bytes) + " of results");
    JsonWriter& json = outcome.json;
    json.key("moved");
    json.list(cuts.moved, [&](const MovedNode& node) {
        json.object([&] {
            json.member("node", source.rootGraph()[node.node].name.view());
            writeNames(before, node.before, after, node.after, json);
        });
    });
    addSizes(cuts, before, after, outcome);
    if (invocation.isSet("loads") || invocation.isSet("schedule"))
        SUNDER_PROPAGATE(addFigures(invocation, source, before, after, outcome));
    return outcome;
}

} // namespace

Command compareCommand()
{
    return {"compare", "IN A B", "Compare two cuts of a model, given as the tags files A and B.", joined({kCompareOptions}),
            runCompare};
}

} // namespace sunder::cli
