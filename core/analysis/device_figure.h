#pragma once

#include "analysis/device.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sunder {

struct DevicePreset;

enum class FigureUnit : std::uint8_t { bytes, bytesPerSecond, flopsPerSecond, factor };

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
    const char* fact = ""; ///< in a list of facts, with %1 for the figure: "%1 to other devices"
    FigureUnit unit = FigureUnit::factor;
    HeadingTerms terms;
    std::optional<double> Device::* member = nullptr; ///< null for the memory, which every device has
    double DevicePreset::* preset = nullptr; ///< 0 in a preset: not stated. Null if no preset states it
};

/// Returns all figures, the memory first, in the order of columns.
std::span<const DeviceFigure> deviceFigures();

std::optional<double> figureOf(const Device& device, const DeviceFigure& figure);

/// Sets a figure. Refuses one that is negative or not finite, naming the device and the figure.
Result<void> setFigure(Device& device, const DeviceFigure& figure, double value);

/// Removes a figure; does nothing to the memory.
void removeFigure(Device& device, const DeviceFigure& figure);

/// Parses a figure with its unit: "16 GB", "900 GB/s", "312 TFLOP/s", "1.5". Errors quote the text.
Result<double> parseFigure(const DeviceFigure& figure, std::string_view text);

/// Formats a figure for people: "16.0 GB", "3.35 TB/s".
std::string figureText(const DeviceFigure& figure, double value);

/// Formats a figure so that it parses back to the same number.
std::string exactFigureText(const DeviceFigure& figure, double value);

/// Parses operations per second: "312 TFLOP/s", "312T", "1.5e14 FLOPS". The text must be a number of at least 0 with an optional
/// prefix k, M, G, T, P or E; otherwise the error quotes it.
Result<double> parseFlops(std::string_view text);

/// Formats a figure with five digits and a prefix: "989.4 TFLOP/s".
std::string prefixedText(double value, std::string_view unit);

} // namespace sunder
