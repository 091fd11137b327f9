#pragma once

#include "analysis/schedule/planned_schedule.h"
#include "canvas/picture_style.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sunder {

/// A device of a timeline.
struct TimelineLane {
    QString device; ///< "cuda:0"; "rank 0" without devices
    QString use;    ///< "busy 82%"
    QString peak;   ///< "3.2 GB"; empty without a model
    QString limit;  ///< "of 80.0 GB", "exceeds 80.0 GB"; empty without a limit
    std::optional<double> available = {}; ///< bytes; nothing without a limit
    double memoryTop = 1; ///< bytes at the top of the memory curve
    bool isOver = false;  ///< the peak exceeds the memory of the device
    std::vector<std::uint32_t> sends = {}; ///< indices into Timetable::transfers, in order of start
    std::vector<std::uint32_t> receives = {};
};

/// The content of a timeline: a schedule in time, with a lane per device. A value; copies share the schedule.
struct TimelineContent {
    std::shared_ptr<const PlannedSchedule> plan = {}; ///< null: nothing
    std::shared_ptr<const std::vector<TimelineLane>> lanes = {}; ///< per rank
    std::vector<TagLook> stages = {}; ///< per stage
    bool hasTransfers = false; ///< some transfer takes time, so that lanes have rows for them

    [[nodiscard]] double step() const { return plan ? plan->times.step : 0; }
    [[nodiscard]] std::uint32_t rankCount() const { return lanes ? static_cast<std::uint32_t>(lanes->size()) : 0; }
};

/// Returns the content of a schedule, without the looks of its stages. O(transfers).
TimelineContent timelineContent(PlannedSchedule plan);

/// Returns the looks of stages that have no tags: S0, S1 …
std::vector<TagLook> stageLooks(const PlannedSchedule& plan, const Theme& theme);

/// A row of a lane.
enum class TimelineRow : std::uint8_t { compute, send, receive };

/// An action or a transfer of a timeline.
struct TimelinePlace {
    std::uint32_t rank = 0;
    TimelineRow row = TimelineRow::compute;
    std::int64_t index = -1; ///< of the action of the rank, or in the transfers of the row; −1: nowhere
    [[nodiscard]] bool isValid() const { return index >= 0; }
    friend bool operator==(const TimelinePlace&, const TimelinePlace&) = default;
};

/// When a place starts and ends, in seconds.
struct TimeSpan {
    double start = 0;
    double end = 0;
};

/// Returns the number of actions or transfers of a row.
std::size_t countIn(const TimelineContent& content, std::uint32_t rank, TimelineRow row);
TimeSpan spanOf(const TimelineContent& content, TimelinePlace place);
/// Returns the stage of an action, or the stage that sends.
std::uint32_t stageOf(const TimelineContent& content, TimelinePlace place);
std::uint32_t microBatchOf(const TimelineContent& content, TimelinePlace place);
/// Returns the place in a row at a time, or the nearest one within `reach` seconds. O(log places).
TimelinePlace placeAt(const TimelineContent& content, std::uint32_t rank, TimelineRow row, double time, double reach);

/// Returns "F", "B", "I", or "W".
QString letterOf(ActionKind kind);
/// Returns action, stage, micro-batch, start, and duration, for tooltips and assistive technology.
QString describe(const TimelineContent& content, TimelinePlace place);
/// Returns the memory of a device at a time: "3.2 GB at 12.5 ms, of 80.0 GB". O(log points).
QString describeMemory(const TimelineContent& content, std::uint32_t rank, double time);
/// Returns "1F1B · 4 stages on 4 devices · 8 micro-batches".
QString titleOf(const PlannedSchedule& plan);
/// Returns step time, bubble, peak memory, and what limits the step; for inference throughput, latency, and the slowest device.
QString figuresOf(const PlannedSchedule& plan);
/// Returns the meaning of letters and lines in words.
QString timelineLegend(const PlannedSchedule& plan);
/// Returns the name of the device of a rank.
QString deviceName(const PlannedSchedule& plan, std::uint32_t rank);

} // namespace sunder
