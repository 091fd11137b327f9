#include "analysis/device.h"

#include "analysis/device_presets.h"
#include "ir/tensor_meta.h"
#include "support/format.h"
#include "support/memory_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <set>

namespace sunder {

void makeIdsUnique(std::vector<Device>& devices)
{
    std::set<std::int64_t> taken;
    std::vector<Device*> without;
    for (Device& device : devices)
        if (device.logicalId < 0 || !taken.insert(device.logicalId).second)
            without.push_back(&device);
    std::int64_t next = 0;
    for (Device* device : without) {
        while (!taken.insert(next).second)
            ++next;
        device->logicalId = next;
    }
}

namespace {

bool isTheSame(const Device& a, const Device& b)
{
    return a.logicalId == b.logicalId && a.availableBytes == b.availableBytes;
}

} // namespace

std::optional<DeviceRate> rateFor(const Device& device, std::string_view dtype)
{
    std::vector<DeviceRate> rates = device.rates;
    if (device.flopsPerSecond)
        for (const char* const half : {"float16", "bfloat16"})
            if (std::ranges::find(rates, half, &DeviceRate::dtype) == rates.end())
                rates.push_back({half, *device.flopsPerSecond});
    const auto exact = std::ranges::find(rates, dtype, &DeviceRate::dtype);
    if (exact != rates.end())
        return *exact;
    if (rates.empty())
        return std::nullopt;
    const auto bytesOf = [](std::string_view type) { return elementSize(type).value_or(4); };
    const std::uint64_t wanted = bytesOf(dtype);
    // A type that is wide enough before one that is not; then the closest.
    const auto order = [&](const DeviceRate& rate) {
        const std::uint64_t bytes = bytesOf(rate.dtype);
        return bytes >= wanted ? std::pair(false, bytes - wanted) : std::pair(true, wanted - bytes);
    };
    DeviceRate rate = *std::ranges::min_element(rates, {}, order);
    if (const std::uint64_t bytes = bytesOf(rate.dtype); bytes < wanted)
        rate.flopsPerSecond *= static_cast<double>(bytes) / static_cast<double>(wanted);
    return rate;
}

bool giveTheSame(const std::vector<Device>& a, const std::vector<Device>& b)
{
    return std::ranges::equal(a, b, isTheSame);
}

std::vector<Device> asCalledNow(std::vector<Device> called, const std::vector<Device>& now)
{
    for (Device& device : called) {
        const auto same = std::ranges::find_if(now, [&](const Device& other) { return isTheSame(device, other); });
        if (same == now.end())
            continue;
        device.name = same->name;
        device.color = same->color;
    }
    return called;
}

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
                 .use = "Used by partition methods, checks, and balance",
                 .fact = "%1 of memory",
                 .unit = FigureUnit::bytes,
                 .terms = {.any = kMemoryTerms},
                 .preset = &DevicePreset::memoryBytes},
    DeviceFigure{.key = "speed",
                 .name = "speed",
                 .heading = "Speed",
                 .tip = "Relative to another device, e.g. 1.5; optional",
                 .use = "Used by costs and balance: measured seconds are divided by it",
                 .fact = "speed %1",
                 .unit = FigureUnit::factor,
                 .terms = {.any = "speed relative compute", .none = kMemoryTerms},
                 .member = &Device::speed},
    DeviceFigure{.key = "bandwidth_bytes_per_s",
                 .name = "bandwidth",
                 .heading = "Bandwidth",
                 .tip = "To other devices, one way, e.g. 450 GB/s; optional",
                 .use = "Used by balance for transfers; a link of its own takes precedence",
                 .fact = "%1 to other devices",
                 .unit = FigureUnit::bytesPerSecond,
                 .terms = {.any = kLinkOrRateTerms},
                 .member = &Device::bandwidthBytesPerSecond,
                 .preset = &DevicePreset::linkBytesPerSecond},
    DeviceFigure{.key = "memory_bandwidth_bytes_per_s",
                 .name = "memory bandwidth",
                 .heading = "Memory bandwidth",
                 .tip = "Between its memory and its compute units, e.g. 2 TB/s; optional",
                 .use = "Used by costs and balance: seconds of a call are at least its bytes over this",
                 .fact = "memory bandwidth %1",
                 .unit = FigureUnit::bytesPerSecond,
                 .terms = {.any = kMemoryTerms, .andAny = kRateTerms, .none = kLinkTerms},
                 .member = &Device::memoryBytesPerSecond,
                 .preset = &DevicePreset::memoryBytesPerSecond},
    DeviceFigure{.key = "flops_per_s",
                 .name = "compute",
                 .heading = "Compute",
                 .tip = "Peak for 16-bit floats, e.g. 312 TFLOP/s; optional",
                 .use = "Used by costs and balance for 16-bit floats, and for data types without a rate",
                 .fact = "%1 peak (16-bit floats)",
                 .unit = FigureUnit::flopsPerSecond,
                 .terms = {.any = "flop =fp16 =bf16"},
                 .member = &Device::flopsPerSecond,
                 .preset = &DevicePreset::flopsPerSecond},
    DeviceFigure{.key = "compute_efficiency",
                 .name = "compute efficiency",
                 .heading = "Compute efficiency",
                 .tip = "Share of the peak that kernels reach, e.g. 0.75; optional",
                 .use = "Used by costs and balance: multiplies the rates; default 0.75",
                 .fact = "compute efficiency %1",
                 .unit = FigureUnit::share,
                 .terms = {.any = "efficiency utilization =mfu", .none = kMemoryTerms},
                 .member = &Device::computeEfficiency},
    DeviceFigure{.key = "memory_efficiency",
                 .name = "memory efficiency",
                 .heading = "Memory efficiency",
                 .tip = "Share of the memory bandwidth that kernels reach, e.g. 0.8; optional",
                 .use = "Used by costs and balance: multiplies the memory bandwidth; default 0.8",
                 .fact = "memory efficiency %1",
                 .unit = FigureUnit::share,
                 .terms = {.any = kMemoryTerms, .andAny = "efficiency utilization"},
                 .member = &Device::memoryEfficiency},
    DeviceFigure{.key = "launch_seconds",
                 .name = "launch time",
                 .heading = "Launch time",
                 .tip = "Overhead of each call, e.g. 5 µs; optional",
                 .use = "Used by costs and balance: added to each call; default 5 µs",
                 .fact = "%1 per call",
                 .unit = FigureUnit::seconds,
                 .terms = {.any = "launch overhead"},
                 .member = &Device::launchSeconds},
};

/// Parses "5 µs", "5us", "0.02 ms", or seconds without a unit.
Result<double> parseSeconds(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (unit.starts_with(' '))
        unit.remove_prefix(1);
    constexpr std::pair<std::string_view, double> kUnits[] = {{"", 1},     {"s", 1},    {"ms", 1e3}, {"us", 1e6},
                                                              {"µs", 1e6}, {"μs", 1e6}, {"ns", 1e9}};
    const auto* const found = std::ranges::find(kUnits, unit, &std::pair<std::string_view, double>::first);
    if (error != std::errc() || !std::isfinite(value) || value < 0 || found == std::end(kUnits))
        return fail(ErrorCode::malformed, '"' + std::string(text.substr(0, 40)) + "\" is not a time (expected e.g. 5 µs)");
    return value / found->second;
}

bool isInRange(const DeviceFigure& figure, double value)
{
    return std::isfinite(value) && value >= 0 && (figure.unit != FigureUnit::share || (value > 0 && value <= 1));
}

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

/// Returns "5 µs", or seconds if that would not be the same number.
std::string exactSeconds(double seconds)
{
    const std::string text = shortestNumber(seconds * 1e6) + " µs";
    const Result<double> read = parseSeconds(text);
    return read && *read == seconds ? text : shortestNumber(seconds) + " s";
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

std::string_view rangeOf(const DeviceFigure& figure)
{
    return figure.unit == FigureUnit::share ? "a number above 0 and at most 1" : "a number of at least 0";
}

Result<void> setFigure(Device& device, const DeviceFigure& figure, double value)
{
    if (!isInRange(figure, value))
        return fail(ErrorCode::malformed,
                    describe(device) + ": the " + std::string(figure.name) + " must be " + std::string(rangeOf(figure)));
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
    case FigureUnit::seconds: return parseSeconds(text);
    case FigureUnit::factor:
    case FigureUnit::share: break;
    }
    return parseFactor(text);
}

std::string figureText(const DeviceFigure& figure, double value)
{
    switch (figure.unit) {
    case FigureUnit::bytes: return formatBytes(roundedBytes(value));
    case FigureUnit::bytesPerSecond: return prefixedText(value, "B/s");
    case FigureUnit::flopsPerSecond: return prefixedText(value, "FLOP/s");
    case FigureUnit::seconds: return exactSeconds(value);
    case FigureUnit::factor:
    case FigureUnit::share: break;
    }
    return shortestNumber(value);
}

std::string exactFigureText(const DeviceFigure& figure, double value)
{
    switch (figure.unit) {
    case FigureUnit::bytes: return formatBytesExactly(roundedBytes(value));
    case FigureUnit::bytesPerSecond: return formatBytesExactly(roundedBytes(value)) + "/s";
    case FigureUnit::flopsPerSecond: return exactFlops(value);
    case FigureUnit::seconds: return exactSeconds(value);
    case FigureUnit::factor:
    case FigureUnit::share: break;
    }
    return shortestNumber(value);
}

std::string ratesText(const Device& device)
{
    std::string text;
    for (const DeviceRate& rate : device.rates)
        text += (text.empty() ? "" : ", ") + rate.dtype + ' ' + exactFlops(rate.flopsPerSecond);
    return text;
}

Result<std::vector<DeviceRate>> parseRates(std::string_view text)
{
    std::vector<DeviceRate> rates;
    for (std::size_t from = 0; text.find_first_not_of(' ') != std::string_view::npos && from <= text.size();) {
        const std::size_t end = std::min(text.find(',', from), text.size());
        std::string_view item = text.substr(from, end - from);
        from = end + 1;
        item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
        const std::string_view dtype = item.substr(0, item.find(' '));
        if (!elementSize(dtype) || std::ranges::find(rates, dtype, &DeviceRate::dtype) != rates.end()
            || dtype.size() == item.size())
            return fail(ErrorCode::malformed,
                        '"' + std::string(item.substr(0, 40))
                            + "\" is not a data type with its rate (expected e.g. float32 19.5 TFLOP/s)");
        SUNDER_TRY(const double rate, parseFlops(item.substr(dtype.size() + 1)));
        if (rate <= 0)
            return fail(ErrorCode::malformed, "the rate of " + std::string(dtype) + " must be above 0");
        rates.push_back({std::string(dtype), rate});
    }
    return rates;
}

std::string linksText(const Device& device)
{
    if (device.links.empty())
        return {};
    const DeviceLink& link = device.links.front();
    if (link.to)
        return std::to_string(device.links.size()) + (device.links.size() == 1 ? " link of its own" : " links of its own");
    std::string text;
    const auto add = [&text](const std::string& figure) { text += (text.empty() ? "" : ", ") + figure; };
    if (link.bytesPerSecond)
        add(prefixedText(*link.bytesPerSecond, "B/s"));
    if (link.latencySeconds)
        add(exactSeconds(*link.latencySeconds));
    if (link.efficiency)
        add("efficiency " + shortestNumber(*link.efficiency));
    return text + " to all devices";
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
