#pragma once

#include "analysis/device.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// The dense peak of a preset for one data type; no data type: none.
struct PresetRate {
    std::string_view dtype;
    double teraflops = 0; ///< 10¹² operations per second
};

/// A common accelerator as described by its vendor. Figures are 0 if the vendor does not state them, or not in comparable terms.
struct DevicePreset {
    std::string_view name; ///< unique: "H100 SXM 80 GB"
    std::string_view vendor;
    double memoryBytes = 0; ///< installed; drivers and ECC use some of it. GB: 10⁹ bytes, GiB: 2³⁰ bytes
    double memoryBytesPerSecond = 0;
    double linkBytesPerSecond = 0; ///< of the fastest link to another device, in one direction: half of figures quoted for both
    double flopsPerSecond = 0; ///< dense peak for 16-bit floats with 32-bit accumulation
    std::string_view source; ///< the vendor's document
    std::string_view note = {}; ///< remarks for the user
    std::array<PresetRate, 7> rates = {}; ///< of matrix products, for each data type that the vendor states
};

/// Returns all presets, grouped by vendor, newest first.
std::span<const DevicePreset> devicePresets();

/// Returns the preset with this name, ignoring case; null if there is none.
const DevicePreset* findDevicePreset(std::string_view name);

/// Creates `count` devices from a preset, named after it and numbered ("H100 SXM 0", …); a single device has no number. Numbers
/// and ids continue those of `before`. Refuses more than 4,096 devices. O(devices).
Result<std::vector<Device>> devicesOf(const DevicePreset& preset, std::size_t count, std::span<const Device> before = {});

/// Returns devices for a cut without devices, all equal and without a memory limit: plain ones if the seconds are measured, otherwise
/// those of one common accelerator, with a sentence about it in `assumptions`.
Result<std::vector<Device>> assumedDevices(std::size_t count, bool isMeasured, std::vector<std::string>& assumptions);

/// Describes a preset in one line: "80 GB at 3.35 TB/s, 450 GB/s to others, 989.4 TFLOP/s".
std::string describe(const DevicePreset& preset);

} // namespace sunder
