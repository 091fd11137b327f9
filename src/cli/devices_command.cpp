// Writes DEVICES.json for well-known accelerators.
#include "analysis/device.h"
#include "cli/command.h"
#include "cli/files.h"
#include "io/side_files/partitioner_files.h"
#include "support/format.h"

#include <QJsonArray>

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

QJsonObject presetJson(const DevicePreset& preset)
{
    QJsonObject json{{QStringLiteral("name"), text(preset.name)},
                     {QStringLiteral("vendor"), text(preset.vendor)},
                     {QStringLiteral("source"), text(preset.source)}};
    for (const DeviceFigure& figure : deviceFigures())
        if (figure.preset != nullptr && preset.*figure.preset > 0)
            json[text(figure.key)] = preset.*figure.preset;
    if (!preset.note.empty())
        json[QStringLiteral("note")] = text(preset.note);
    return json;
}

Outcome listed()
{
    Outcome outcome;
    QJsonArray presets;
    for (const DevicePreset& preset : devicePresets()) {
        const std::string note = preset.note.empty() ? std::string() : "; " + std::string(preset.note);
        outcome.say(std::string(preset.name) + " (" + std::string(preset.vendor) + "): " + describe(preset) + "; "
                    + std::string(preset.source) + note);
        presets.append(presetJson(preset));
    }
    outcome.json[QStringLiteral("presets")] = presets;
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
    QJsonArray names;
    for (const Device& device : devices)
        names.append(text(device.name));
    outcome.say(formatCount(devices.size(), "device"));
    outcome.json[QStringLiteral("devices")] = names;
    return outcome;
}

} // namespace

Command devicesCommand()
{
    return {"devices", "", "Write a devices file for well-known accelerators.", joined({kDevicesOptions}), runDevices};
}

} // namespace sunder::cli
