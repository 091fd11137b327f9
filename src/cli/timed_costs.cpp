#include "cli/timed_costs.h"

#include "cli/project_input.h"
#include "io/side_files/costs_file.h"

#include <algorithm>

namespace sunder::cli {
namespace {

constexpr CommandOption kTimedCostsOptions[] = {
    {Takes::input, "devices", "DEVICES.json", "Estimate the seconds of each call on a device of this file."},
    CommandOption{Takes::text, "device", "NAME", "Name or logical ID of that device. Default: the first one."}.needing("devices"),
    CommandOption{Takes::input, "costs", "COSTS",
                  "Measured costs: COSTS.json, CSV, a torch.profiler trace, or node data. The last "
                  "value of a node is used."}
        .repeatable(),
};

/// Returns the device of --device in the file of --devices; nothing without that option.
Result<std::optional<Device>> wantedDevice(const Invocation& invocation)
{
    if (!invocation.isSet("devices"))
        return std::nullopt;
    SUNDER_TRY(const std::vector<Device> devices, devicesFor(invocation));
    if (devices.empty())
        return fail(ErrorCode::refused, "the devices file has no device", {.file = invocation.value("devices")});
    if (!invocation.isSet("device"))
        return devices.front();
    const std::string name = invocation.value("device");
    const auto isNamed = [&](const Device& device) { return device.name == name; };
    const auto hasId = [&](const Device& device) { return std::to_string(device.logicalId) == name; };
    auto found = std::ranges::find_if(devices, isNamed);
    if (found == devices.end())
        found = std::ranges::find_if(devices, hasId);
    if (found == devices.end())
        return fail(ErrorCode::usage, "no device \"" + name + "\" in the devices file", {.file = invocation.value("devices")});
    return *found;
}

} // namespace

std::uint64_t statesPerParameter(const Invocation& invocation)
{
    const std::string optimizer = invocation.value("optimizer");
    return optimizer == "adam" ? 2 : optimizer == "momentum" ? 1 : 0;
}

std::span<const CommandOption> timedCostsOptions()
{
    return kTimedCostsOptions;
}

MeasuredCosts projectCosts(const Invocation& invocation, const Program& program)
{
    MeasuredCosts measured;
    if (const std::optional<ProjectFile>& project = invocation.project.file; project && !project->costs.empty()) {
        const Result<void> added = addCosts(program, project->costs, project->costsSource, measured);
        if (!added) { // the model has changed
            measured = {};
            invocation.project.notes.push_back("the measured costs of the project were not used: " + added.error().message);
        }
    }
    return measured;
}

Result<MeasuredCosts> measuredCostsFor(const Invocation& invocation, const Program& program)
{
    std::vector<std::string> files;
    for (const QString& file : invocation.options.values(QStringLiteral("costs")))
        files.push_back(file.toStdString());
    return readCostsFiles(program, files, projectCosts(invocation, program));
}

Result<TimedCosts> timedCosts(const Invocation& invocation, const Program& program)
{
    SUNDER_TRY(const std::optional<Device> device, wantedDevice(invocation));
    TimedCosts timed;
    SUNDER_TRY(timed.measured, measuredCostsFor(invocation, program));
    SUNDER_TRY(timed.costs, invocation.timer.measure("costs", [&] { return programCosts(program, invocation.monitor); }));
    SUNDER_TRY(timed.seconds, nodeSeconds(program, timed.costs, device ? &*device : nullptr, timed.measured));
    timed.ofModules = moduleSeconds(program, timed.costs, timed.seconds);
    if (device)
        timed.device = device->name.empty() ? std::to_string(device->logicalId) : device->name;
    return timed;
}

} // namespace sunder::cli
