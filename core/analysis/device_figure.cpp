#include "analysis/device_figure.h"

#include "analysis/device_presets.h"
#include "support/format.h"
#include "support/memory_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace sunder {
namespace {

constexpr std::string_view kMemoryTerms = "mem vram capacity hbm gddr =ram =dram =size";
constexpr std::string_view kRateTerms = "bandwidth throughput /s =bw @rate";
constexpr std::string_view kLinkTerms = "interconnect link pcie network peer";
constexpr std::string_view kLinkOrRateTerms = "interconnect link pcie network peer bandwidth throughput /s =bw @rate";

constexpr std::array kFigures{
    DeviceFigure{.key = "available_mem_bytes",
                 .name = "memory",
                 .heading = "Memory",
                 .tip = "Memory for weights and values, e.g. 16 GB or 512 MiB",
                 .fact = "%1 of memory",
                 .unit = FigureUnit::bytes,
                 .terms = {.any = kMemoryTerms},
                 .preset = &DevicePreset::memoryBytes},
    DeviceFigure{.key = "speed",
                 .name = "speed",
                 .heading = "Speed",
                 .tip = "Relative to another device, e.g. 1.5; optional",
                 .fact = "speed %1",
                 .unit = FigureUnit::factor,
                 .terms = {.any = "speed relative compute", .none = kMemoryTerms},
                 .member = &Device::speed},
    DeviceFigure{.key = "bandwidth_bytes_per_s",
                 .name = "bandwidth",
                 .heading = "Bandwidth",
                 .tip = "To other devices, one way, e.g. 450 GB/s; optional",
                 .fact = "%1 to other devices",
                 .unit = FigureUnit::bytesPerSecond,
                 .terms = {.any = kLinkOrRateTerms},
                 .member = &Device::bandwidthBytesPerSecond,
                 .preset = &DevicePreset::linkBytesPerSecond},
    DeviceFigure{.key = "memory_bandwidth_bytes_per_s",
                 .name = "memory bandwidth",
                 .heading = "Memory bandwidth",
                 .tip = "Between its memory and its compute units, e.g. 2 TB/s; optional",
                 .fact = "memory bandwidth %1",
                 .unit = FigureUnit::bytesPerSecond,
                 .terms = {.any = kMemoryTerms, .andAny = kRateTerms, .none = kLinkTerms},
                 .member = &Device::memoryBytesPerSecond,
                 .preset = &DevicePreset::memoryBytesPerSecond},
    DeviceFigure{.key = "flops_per_s",
                 .name = "compute",
                 .heading = "Compute",
                 .tip = "Peak for 16-bit floats, e.g. 312 TFLOP/s; optional",
                 .fact = "%1 peak (16-bit floats)",
                 .unit = FigureUnit::flopsPerSecond,
                 .terms = {.any = "flop =fp16 =bf16"},
                 .member = &Device::flopsPerSecond,
                 .preset = &DevicePreset::flopsPerSecond},
};

Result<double> parseFactor(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
        return fail(ErrorCode::malformed, '"' + std::string(text.substr(0, 40)) + "\" is not a number of at least 0");
    return value;
}

std::string shortestNumber(double value)
{
    char number[32] = {};
    std::to_chars(number, number + sizeof number - 1, value);
    return number;
}

/// Returns "989.4 TFLOP/s", or the number without a prefix if that would not be the same number.
std::string exactFlops(double perSecond)
{
    std::string text = shortestNumber(perSecond / 1e12) + " TFLOP/s";
    const Result<double> read = parseFlops(text);
    return read && *read == perSecond ? text : shortestNumber(perSecond) + " FLOP/s";
}

std::uint64_t roundedBytes(double bytes)
{
    return static_cast<std::uint64_t>(std::max(0.0, bytes));
}

} // namespace

std::span<const DeviceFigure> deviceFigures()
{
    return kFigures;
}

std::optional<double> figureOf(const Device& device, const DeviceFigure& figure)
{
    return figure.member == nullptr ? std::optional(device.availableBytes) : device.*figure.member;
}

Result<void> setFigure(Device& device, const DeviceFigure& figure, double value)
{
    if (!std::isfinite(value) || value < 0)
        return fail(ErrorCode::malformed,
                    describe(device) + ": the " + std::string(figure.name) + " must be a number of at least 0");
    if (figure.member == nullptr)
        device.availableBytes = value;
    else
        device.*figure.member = value;
    return {};
}

void removeFigure(Device& device, const DeviceFigure& figure)
{
    if (figure.member != nullptr)
        (device.*figure.member).reset();
}

Result<double> parseFigure(const DeviceFigure& figure, std::string_view text)
{
    const auto asNumber = [](std::uint64_t bytes) { return static_cast<double>(bytes); };
    switch (figure.unit) {
    case FigureUnit::bytes: return parseBytes(text).map(asNumber);
    case FigureUnit::bytesPerSecond: return parseBytesPerSecond(text).map(asNumber);
    case FigureUnit::flopsPerSecond: return parseFlops(text);
    case FigureUnit::factor: break;
    }
    return parseFactor(text);
}

std::string figureText(const DeviceFigure& figure, double value)
{
    switch (figure.unit) {
    case FigureUnit::bytes: return formatBytes(roundedBytes(value));
    case FigureUnit::bytesPerSecond: return prefixedText(value, "B/s");
    case FigureUnit::flopsPerSecond: return prefixedText(value, "FLOP/s");
    case FigureUnit::factor: break;
    }
    return shortestNumber(value);
}

std::string exactFigureText(const DeviceFigure& figure, double value)
{
    switch (figure.unit) {
    case FigureUnit::bytes: return formatBytesExactly(roundedBytes(value));
    case FigureUnit::bytesPerSecond: return formatBytesExactly(roundedBytes(value)) + "/s";
    case FigureUnit::flopsPerSecond: return exactFlops(value);
    case FigureUnit::factor: break;
    }
    return shortestNumber(value);
}

Result<double> parseFlops(std::string_view text)
{
    const auto refuse = [&] {
        return fail(ErrorCode::usage,
                    "invalid compute rate \"" + std::string(text.substr(0, 40)) + "\" (expected e.g. 312 TFLOP/s)");
    };
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (unit.starts_with(' '))
        unit.remove_prefix(1);
    for (const std::string_view suffix : {"FLOP/s", "FLOPS", "FLOPs"})
        if (unit.ends_with(suffix))
            unit.remove_suffix(suffix.size());
    constexpr std::string_view kPrefixes = "kMGTPE";
    const std::size_t step = unit.empty() ? 0 : kPrefixes.find(unit.front()) + 1;
    if (error != std::errc() || !(value >= 0) || unit.size() > 1 || (step == 0 && !unit.empty()))
        return refuse();
    for (std::size_t i = 0; i < step; ++i)
        value *= 1000;
    return std::isfinite(value) ? Result<double>(value) : refuse();
}

std::string prefixedText(double value, std::string_view unit)
{
    char text[64];
    const double kilo = 1000;
    std::size_t step = 0;
    constexpr std::array<std::string_view, 6> kSteps{"", "k", "M", "G", "T", "P"};
    for (; value >= kilo && step + 1 < kSteps.size(); ++step)
        value /= kilo;
    std::snprintf(text, sizeof text, "%.5g ", value);
    return text + std::string(kSteps[step]) + std::string(unit);
}

} // namespace sunder
