#pragma once

#include "analysis/schedule/pipeline_model.h"
#include "analysis/schedule/timetable.h"

#include <memory>
#include <string>
#include <vector>

namespace sunder {

/// A schedule with its timetable.
struct PlannedSchedule {
    std::shared_ptr<const PipelineModel> model = {}; ///< null: times are in units, see unitCosts()
    PipelineOrder order = {};
    PipelineCosts costs = {};
    Timetable times = {};

    /// Returns the names of the ranks' devices; empty without devices.
    [[nodiscard]] std::vector<std::string> deviceNames() const;
    /// Returns the name of a rank's device; "device2" without devices. Needs a model.
    [[nodiscard]] std::string deviceName(std::uint32_t rank) const;
    /// Returns the available bytes of a rank; nothing without a limit or without a model.
    [[nodiscard]] std::optional<double> availableOf(std::uint32_t rank) const;
    /// Formats a time: seconds with a model, otherwise a number.
    [[nodiscard]] std::string timeText(double time) const;
    /// Returns the bubble: "12.5 %".
    [[nodiscard]] std::string bubbleText() const;
};

/// Returns the sizes for the stages of a model. Without `ranks`: one for each device if every rank then has several stages and the
/// schedule allows that; otherwise as pipelineSizes() for a number of stages, with its refusals.
Result<PipelineSizes> pipelineSizes(PipelineSchedule schedule, const PipelineModel& model, std::uint32_t microBatches,
                                    std::optional<std::uint32_t> ranks = {});

/// Orders the actions of a schedule, places the stages of the model on the ranks, and computes the timetable. Returns the refusals of
/// pipelineOrder() and placedCosts().
Result<PlannedSchedule> plannedSchedule(PipelineSchedule schedule, const PipelineSizes& sizes,
                                        std::shared_ptr<const PipelineModel> model = {});

} // namespace sunder
