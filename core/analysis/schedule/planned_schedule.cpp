#include "analysis/schedule/planned_schedule.h"

#include "support/format.h"

#include <array>
#include <cstdio>

namespace sunder {

std::vector<std::string> PlannedSchedule::deviceNames() const
{
    std::vector<std::string> names;
    if (model && model->hasDevices)
        for (const Device& device : model->devices)
            names.push_back(device.name);
    return names;
}

std::string PlannedSchedule::deviceName(std::uint32_t rank) const
{
    return model->hasDevices ? model->deviceOf(rank).name : "device" + std::to_string(rank);
}

std::optional<double> PlannedSchedule::availableOf(std::uint32_t rank) const
{
    return model ? model->availableOf(rank) : std::nullopt;
}

std::string PlannedSchedule::timeText(double time) const
{
    if (model)
        return formatSeconds(time);
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", time);
    return text.data();
}

std::string PlannedSchedule::bubbleText() const
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f %%", 100 * times.bubble);
    return text.data();
}

Result<PipelineSizes> pipelineSizes(PipelineSchedule schedule, const PipelineModel& model, std::uint32_t microBatches,
                                    std::optional<std::uint32_t> ranks)
{
    const std::size_t devices = model.devices.size();
    const bool isMultiple = model.stages.size() % devices == 0 && model.stages.size() > devices;
    if (!ranks && model.hasDevices && !hasOneStagePerRank(schedule) && isMultiple)
        ranks = static_cast<std::uint32_t>(devices);
    return pipelineSizes(schedule, static_cast<std::uint32_t>(model.stages.size()), microBatches, ranks);
}

Result<PlannedSchedule> plannedSchedule(PipelineSchedule schedule, const PipelineSizes& sizes,
                                        std::shared_ptr<const PipelineModel> model)
{
    PlannedSchedule plan{.model = std::move(model)};
    SUNDER_TRY(plan.order, pipelineOrder(schedule, sizes));
    if (plan.model) {
        SUNDER_TRY(plan.costs, placedCosts(*plan.model, plan.order));
    } else {
        plan.costs = unitCosts(plan.order);
    }
    plan.times = timetable(plan.order, plan.costs);
    return plan;
}

} // namespace sunder
