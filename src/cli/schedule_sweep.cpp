#include "cli/schedule_sweep.h"

#include "cli/tags.h"
#include "passes/balance/schedule_sweep.h"
#include "support/file.h"
#include "support/format.h"

#include <QStringList>

#include <array>
#include <cstdio>

namespace sunder::cli {
namespace {

constexpr uint kMostMicroBatches = 1'000'000;

Result<std::vector<PipelineSchedule>> schedulesOf(const Invocation& invocation)
{
    if (!invocation.isSet("schedule"))
        return std::vector<PipelineSchedule>(trainingSchedules().begin(), trainingSchedules().end());
    std::vector<PipelineSchedule> schedules;
    for (const QString& name : invocation.options.value(QStringLiteral("schedule")).split(u',', Qt::SkipEmptyParts)) {
        SUNDER_TRY(const PipelineSchedule schedule, parsePipelineSchedule(name.trimmed().toStdString()));
        schedules.push_back(schedule);
    }
    return schedules;
}

/// Without --stages, a stage or two for each device.
Result<void> chooseStages(const Invocation& invocation, const Program& program, SweepOptions& options)
{
    if (invocation.isSet("tags")) {
        if (invocation.isSet("stages"))
            return fail(ErrorCode::usage, "--tags is one cut; --stages makes others");
        SUNDER_TRY(options.tags, tagsFor(invocation, program));
        return {};
    }
    if (invocation.isSet("stages")) {
        SUNDER_TRY(options.stages, numbersOf(invocation, "stages"));
        return {};
    }
    const auto devices = static_cast<std::uint32_t>(options.model.devices.size());
    if (devices == 0)
        return fail(ErrorCode::usage, "--sweep needs --stages, --devices, or --tags");
    options.stages = {devices, 2 * devices};
    return {};
}

std::string figureText(const char* format, double value)
{
    std::array<char, 32> out{};
    std::snprintf(out.data(), out.size(), format, value);
    return out.data();
}

void write(const Sweep& sweep, JsonWriter& json)
{
    std::size_t at = 0;
    json.key("rows");
    json.list(sweep.rows, [&](const SweepRow& row) {
        json.object([&] {
            json.member("schedule", name(row.schedule));
            json.member("stages", row.sizes.stages);
            json.member("ranks", row.sizes.ranks);
            json.member("micro_batches", row.sizes.microBatches);
            if (!row.refusal.empty()) {
                json.member("refused", row.refusal);
            } else {
                json.member("step", row.step);
                json.member("throughput", row.throughput);
                json.member("bubble", row.bubble);
                json.member("peak_bytes", row.peakBytes);
                json.member("fits", row.fits);
                json.member("binds", name(row.binds));
                json.member("best", sweep.best == at);
            }
        });
        ++at;
    });
}

void say(const Sweep& sweep, Outcome& outcome)
{
    std::array<char, 160> line{};
    const auto sayColumns = [&](const std::array<std::string, 8>& columns, const std::string& rest) {
        std::snprintf(line.data(), line.size(), "%-22s %6s %5s %13s %9s %12s %7s %9s  ", columns[0].c_str(), columns[1].c_str(),
                      columns[2].c_str(), columns[3].c_str(), columns[4].c_str(), columns[5].c_str(), columns[6].c_str(),
                      columns[7].c_str());
        outcome.say(line.data() + rest);
    };
    sayColumns({"schedule", "stages", "ranks", "micro-batches", "step", "per second", "bubble", "peak"}, "limited by");
    for (std::size_t at = 0; at < sweep.rows.size(); ++at) {
        const SweepRow& row = sweep.rows[at];
        const std::array<std::string, 4> sizes = {std::string(name(row.schedule)), std::to_string(row.sizes.stages),
                                                  std::to_string(row.sizes.ranks), std::to_string(row.sizes.microBatches)};
        if (!row.refusal.empty()) {
            std::snprintf(line.data(), line.size(), "%-22s %6s %5s %13s  ", sizes[0].c_str(), sizes[1].c_str(), sizes[2].c_str(),
                          sizes[3].c_str());
            outcome.say(line.data() + row.refusal);
            continue;
        }
        sayColumns({sizes[0], sizes[1], sizes[2], sizes[3], formatSeconds(row.step), figureText("%.4g", row.throughput),
                    figureText("%.1f %%", 100 * row.bubble), formatBytes(row.peakBytes)},
                   std::string(name(row.binds))
                       + (!row.fits              ? ", does not fit"
                              : sweep.best == at ? ", best"
                                                 : ""));
    }
    if (!sweep.best)
        outcome.say("no combination fits");
}

} // namespace

Result<std::vector<std::uint32_t>> numbersOf(const Invocation& invocation, const char* option)
{
    std::vector<std::uint32_t> numbers;
    for (const QString& word : invocation.options.value(QLatin1String(option)).split(u',', Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const uint number = word.trimmed().toUInt(&isNumber);
        if (!isNumber || number == 0 || number > kMostMicroBatches)
            return fail(ErrorCode::usage,
                        "--" + std::string(option) + " takes numbers from 1 to " + std::to_string(kMostMicroBatches) + ", not \""
                            + word.toStdString() + '"');
        numbers.push_back(number);
    }
    if (numbers.empty())
        return fail(ErrorCode::usage, "--" + std::string(option) + " has no number");
    return numbers;
}

Result<Outcome> runSweep(const Invocation& invocation, const Program& program, const PipelineModelOptions& options)
{
    SweepOptions sweepOptions{.model = options};
    SUNDER_TRY(sweepOptions.schedules, schedulesOf(invocation));
    SUNDER_TRY(sweepOptions.microBatches, numbersOf(invocation, "micro-batches"));
    SUNDER_PROPAGATE(chooseStages(invocation, program, sweepOptions));
    SUNDER_TRY(const Sweep sweep,
               invocation.timer.measure("sweep", [&] { return scheduleSweep(program, sweepOptions, invocation.monitor); }));
    if (invocation.isSet("o") && sweep.best)
        SUNDER_PROPAGATE(invocation.outputs.write(invocation.value("o"), [&](const std::string& at) {
            return writeTags(program, sweep.cuts[sweep.rows[*sweep.best].cut].tags, at);
        }));
    Outcome outcome;
    write(sweep, outcome.json);
    say(sweep, outcome);
    if (!sweep.cuts.empty()) {
        const std::vector<std::string> assumptions = sweep.cuts.front().model.assumptionsFor(sweepOptions.schedules.front());
        outcome.json.member("assumptions", assumptions);
        for (const std::string& assumption : assumptions)
            outcome.say("assumption: " + assumption);
    }
    return outcome;
}

} // namespace sunder::cli
