#pragma once

#include "support/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// The dense peak of a device for one data type.
struct DeviceRate {
    std::string dtype; ///< without "torch.": "bfloat16"
    double flopsPerSecond = 0;
    friend bool operator==(const DeviceRate&, const DeviceRate&) = default;
};

/// A link from a device to another one, in one direction. See DeviceLinks.
struct DeviceLink {
    std::optional<std::int64_t> to = {}; ///< logical id; nothing: all devices without a link of their own
    std::optional<double> bytesPerSecond = {};
    std::optional<double> latencySeconds = {}; ///< default: 0
    std::optional<double> efficiency = {}; ///< share of the bandwidth that transfers reach; default: kDefaultLinkEfficiency
    friend bool operator==(const DeviceLink&, const DeviceLink&) = default;
};

/// An accelerator that partitions are assigned to.
struct Device {
    std::string name;
    double availableBytes = 0;    ///< memory; may be fractional in files
    std::int64_t logicalId = 0;   ///< the id that partitions refer to; unique among the devices
    std::optional<double> speed = {}; ///< relative to the device of measured costs; greater is faster
    std::optional<double> bandwidthBytesPerSecond = {}; ///< to other devices, in one direction
    std::optional<double> memoryBytesPerSecond = {};    ///< memory bandwidth
    std::optional<double> flopsPerSecond = {};          ///< dense peak for 16-bit floats
    std::optional<double> computeEfficiency = {};       ///< share of the peak that kernels reach, above 0 and at most 1
    std::optional<double> memoryEfficiency = {};        ///< share of the memory bandwidth that kernels reach, likewise
    std::optional<double> launchSeconds = {};           ///< of each call
    std::vector<DeviceRate> rates = {}; ///< dense peaks of data types, in file order; different types
    std::vector<DeviceLink> links = {}; ///< each target once
    std::string source = {};      ///< origin of these figures, for display
    std::string color = {};       ///< "#88ccee"; empty: a color of the theme
    std::string extra = {};       ///< other fields in the file, as a raw JSON object; empty if there are none
    friend bool operator==(const Device&, const Device&) = default;
};

/// Defaults of the cost model for figures that a device does not state.
inline constexpr double kDefaultComputeEfficiency = 0.75;
inline constexpr double kDefaultMemoryEfficiency = 0.8;
inline constexpr double kDefaultLinkEfficiency = 0.8;
inline constexpr double kDefaultLaunchSeconds = 5e-6;

/// Returns the dense peak that the cost model uses for a data type, with the type that it is stated for: the stated one; else,
/// for a 16-bit float, the peak for 16-bit floats; else the peak of the narrowest wider type; else that of the widest type,
/// divided by the ratio of the element sizes. Nothing if the device states no peak.
std::optional<DeviceRate> rateFor(const Device& device, std::string_view dtype);

/// Returns whether both lists lead to the same partitioning: the same number of devices in the same order, with equal ids and
/// memory. Partitioners of torch.fx read nothing else; the cost model (nodeSeconds(), DeviceLinks) reads the other figures. Names
/// and colors are for display.
[[nodiscard]] bool giveTheSame(const std::vector<Device>& a, const std::vector<Device>& b);

/// Updates names and colors of stored devices from `now`: a device with the same id and memory is the same device, renamed or
/// recolored since.
[[nodiscard]] std::vector<Device> asCalledNow(std::vector<Device> devices, const std::vector<Device>& now);

/// Replaces ids that are negative or used by an earlier device by free ones. Partitions refer to devices by id.
void makeIdsUnique(std::vector<Device>& devices);

/// Returns the name for messages: `device "npu0"`, or `device 3` for a device without a name.
inline std::string describe(const Device& device)
{
    return "device " + (device.name.empty() ? std::to_string(device.logicalId) : '"' + device.name + '"');
}

struct DevicePreset;

enum class FigureUnit : std::uint8_t { bytes, bytesPerSecond, flopsPerSecond, factor, share, seconds };

/// Terms that identify the heading of a column: at least one of `any`, one of `andAny` unless that is empty, and none of `none`.
/// Terms are separated by spaces. "=bw" is a whole word, "@rate" a unit per second, and others are parts of the heading.
struct HeadingTerms {
    std::string_view any;
    std::string_view andAny = {};
    std::string_view none = {};
};

/// A figure of a device, declared once. The columns of the Devices table, DEVICES.json, rows of spreadsheets, presets, and messages
/// are derived from it.
struct DeviceFigure {
    std::string_view key; ///< in DEVICES.json: "bandwidth_bytes_per_s"
    const char* name = ""; ///< in sentences: "bandwidth"
    const char* heading = ""; ///< of its column
    const char* tip = ""; ///< of its heading
    const char* use = ""; ///< the calculations that use it; torch.fx's partition methods use the memory only
    const char* fact = ""; ///< in a list of facts, with %1 for the figure: "%1 to other devices"
    FigureUnit unit = FigureUnit::factor;
    HeadingTerms terms;
    std::optional<double> Device::* member = nullptr; ///< null for the memory, which every device has
    double DevicePreset::* preset = nullptr; ///< 0 in a preset: not stated. Null if no preset states it
};

/// Returns all figures, the memory first, in the order of columns.
std::span<const DeviceFigure> deviceFigures();

std::optional<double> figureOf(const Device& device, const DeviceFigure& figure);

/// Returns the accepted values of a figure: "a number of at least 0", for a share "a number above 0 and at most 1".
std::string_view rangeOf(const DeviceFigure& figure);

/// Sets a figure. Refuses one out of its range, naming the device and the figure.
Result<void> setFigure(Device& device, const DeviceFigure& figure, double value);

/// Removes a figure; does nothing to the memory.
void removeFigure(Device& device, const DeviceFigure& figure);

/// Parses a figure with its unit: "16 GB", "900 GB/s", "312 TFLOP/s", "1.5". Errors quote the text.
Result<double> parseFigure(const DeviceFigure& figure, std::string_view text);

/// Formats a figure for people: "16.0 GB", "3.35 TB/s".
std::string figureText(const DeviceFigure& figure, double value);

/// Formats a figure so that it parses back to the same number.
std::string exactFigureText(const DeviceFigure& figure, double value);

/// Formats the rates of a device: "float32 19.5 TFLOP/s, bfloat16 312 TFLOP/s"; empty without any.
std::string ratesText(const Device& device);

/// Parses what ratesText() returns; nothing for an empty text. Refuses unknown and repeated data types, and rates that are not above
/// 0, quoting them.
Result<std::vector<DeviceRate>> parseRates(std::string_view text);

/// Formats the links of a device in words: "50 GB/s, 2 µs to all devices", "3 links of its own"; empty without any.
std::string linksText(const Device& device);

/// Parses operations per second: "312 TFLOP/s", "312T", "1.5e14 FLOPS". The text must be a number of at least 0 with an optional
/// prefix k, M, G, T, P or E; otherwise the error quotes it.
Result<double> parseFlops(std::string_view text);

/// Formats a figure with five digits and a prefix: "989.4 TFLOP/s".
std::string prefixedText(double value, std::string_view unit);

} // namespace sunder
