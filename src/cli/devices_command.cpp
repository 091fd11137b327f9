// Writes DEVICES.json for well-known accelerators.
#include "analysis/device_presets.h"
#include "cli/command.h"
#include "cli/files.h"
#include "io/side_files/devices_file.h"
#include "support/format.h"

#include <algorithm>

namespace sunder::cli {
namespace {

constexpr CommandOption kDevicesOptions[] = {
    flag("list", "List the presets and the sources of their figures."),
    CommandOption{Takes::text, "preset", "NAME", "Preset, by its name in --list."}.repeatable(),
    CommandOption{Takes::number, "count", "N", "Number of devices of a preset, in the order of the presets. Default: 1."}
        .repeatable(),
    {Takes::output, "o", "DEVICES.json", "Devices file to write."},
};

/// Writes the members of a preset.
void write(const DevicePreset& preset, JsonWriter& json)
{
    json.member("name", preset.name);
    json.member("vendor", preset.vendor);
    for (const DeviceFigure& figure : deviceFigures())
        if (figure.preset != nullptr && preset.*figure.preset > 0) {
            json.key(figure.key);
            json.figure(preset.*figure.preset);
        }
    json.member("source", preset.source);
    json.memberIfAny("note", preset.note);
}

Outcome listed()
{
    Outcome outcome;
    outcome.json.key("presets");
    outcome.json.list(devicePresets(), [&outcome](const DevicePreset& preset) {
        const std::string note = preset.note.empty() ? std::string() : "; " + std::string(preset.note);
        outcome.say(std::string(preset.name) + " (" + std::string(preset.vendor) + "): " + describe(preset) + "; "
                    + std::string(preset.source) + note);
        outcome.json.object([&] { write(preset, outcome.json); });
    });
    return outcome;
}

Result<std::vector<Device>> wantedDevices(const Invocation& invocation)
{
    const QStringList names = invocation.options.values(QStringLiteral("preset"));
    const QStringList counts = invocation.options.values(QStringLiteral("count"));
    if (counts.size() > names.size())
        return fail(ErrorCode::usage, "more --count options than --preset options");
    std::vector<Device> devices;
    for (qsizetype i = 0; i < names.size(); ++i) {
        const DevicePreset* preset = findDevicePreset(names[i].toStdString());
        if (preset == nullptr)
            return fail(ErrorCode::usage, "unknown preset \"" + names[i].toStdString() + "\"; --list lists the presets");
        const uint count = i < counts.size() ? counts[i].toUInt() : 1;
        SUNDER_TRY(const std::vector<Device> more, devicesOf(*preset, count, devices));
        devices.insert(devices.end(), more.begin(), more.end());
    }
    return devices;
}

Result<Outcome> runDevices(const Invocation& invocation)
{
    if (invocation.isSet("list"))
        return listed();
    if (!invocation.isSet("preset") || !invocation.isSet("o"))
        return fail(ErrorCode::usage, "devices needs --list, or --preset NAME and -o DEVICES.json");
    SUNDER_TRY(const std::vector<Device> devices, wantedDevices(invocation));
    SUNDER_PROPAGATE(
        invocation.outputs.write(invocation.value("o"), [&](const std::string& at) { return writeDevicesFile(devices, at); }));
    Outcome outcome;
    outcome.say(formatCount(devices.size(), "device"));
    outcome.json.key("devices");
    outcome.json.list(devices, [&outcome](const Device& device) { outcome.json.value(device.name); });
    return outcome;
}

} // namespace

Command devicesCommand()
{
    return {"devices", "", "Write a devices file for well-known accelerators.", joined({kDevicesOptions}), runDevices};
}

} // namespace sunder::cli
