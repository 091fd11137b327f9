#include "analysis/device_rows.h"

#include "support/memory_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sunder {
namespace {

constexpr std::size_t kMostRows = 100'000;

std::string_view trimmed(std::string_view text)
{
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::vector<std::string_view> cellsOf(std::string_view row, char separator)
{
    std::vector<std::string_view> cells;
    for (std::size_t from = 0; from <= row.size();) {
        const std::size_t end = std::min(row.find(separator, from), row.size());
        cells.push_back(trimmed(row.substr(from, end - from)));
        from = end + 1;
    }
    return cells;
}

Result<double> parseSpeed(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
        return fail(ErrorCode::malformed, "\"" + std::string(text) + "\" is no number from 0");
    return value;
}

template <typename T>
tl::unexpected<Error> inRow(std::size_t row, const char* cell, const Result<T>& failed)
{
    Error error = failed.error();
    error.message = "row " + std::to_string(row) + ", " + cell + ": " + error.message;
    return tl::unexpected<Error>(std::move(error));
}

Result<Device> deviceOf(const std::vector<std::string_view>& cells, std::size_t row)
{
    if (cells.size() < 2)
        return fail(ErrorCode::malformed,
                    "row " + std::to_string(row)
                        + " has one cell; a device needs a name and its memory, as in \"cuda:0, 16 GB\"");
    Device device{.name = std::string(cells[0])};
    const Result<std::uint64_t> memory = parseBytes(cells[1]);
    if (!memory)
        return inRow(row, "memory", memory);
    device.availableBytes = static_cast<double>(*memory);
    if (cells.size() > 2 && !cells[2].empty()) {
        const Result<double> speed = parseSpeed(cells[2]);
        if (!speed)
            return inRow(row, "speed", speed);
        device.speed = *speed;
    }
    if (cells.size() > 3 && !cells[3].empty()) {
        const Result<std::uint64_t> bandwidth = parseBytesPerSecond(cells[3]);
        if (!bandwidth)
            return inRow(row, "bandwidth", bandwidth);
        device.bandwidthBytesPerSecond = static_cast<double>(*bandwidth);
    }
    return device;
}

} // namespace

Result<std::vector<Device>> parseDeviceRows(std::string_view text)
{
    const char separator = text.find('\t') != std::string_view::npos ? '\t'
        : text.find(';') != std::string_view::npos                   ? ';'
                                                                     : ',';
    std::vector<Device> devices;
    bool mayBeHeadings = true;
    std::size_t row = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const std::string_view line = text.substr(from, end - from);
        from = end + 1;
        ++row;
        if (trimmed(line).empty())
            continue;
        if (devices.size() == kMostRows)
            return fail(ErrorCode::refused, "there are more than 100,000 rows");
        const std::vector<std::string_view> cells = cellsOf(line, separator);
        Result<Device> device = deviceOf(cells, row);
        const bool isHeadings = mayBeHeadings && !device && cells.size() >= 2
            && cells[1].find_first_of("0123456789") == std::string_view::npos;
        mayBeHeadings = false;
        if (isHeadings)
            continue;
        if (!device)
            return forward(device);
        device->logicalId = static_cast<std::int64_t>(devices.size());
        devices.push_back(std::move(*device));
    }
    if (devices.empty())
        return fail(ErrorCode::malformed, "there is no device in it; a row is a name and its memory, as in \"cuda:0, 16 GB\"");
    return devices;
}

std::string deviceRowsText(const std::vector<Device>& devices)
{
    std::string text;
    for (const Device& device : devices) {
        text += device.name + '\t' + formatBytesExactly(static_cast<std::uint64_t>(device.availableBytes));
        if (device.speed || device.bandwidthBytesPerSecond) {
            char number[32] = {};
            if (device.speed)
                std::to_chars(number, number + sizeof number - 1, *device.speed);
            text += '\t' + std::string(number);
        }
        if (device.bandwidthBytesPerSecond)
            text += '\t' + formatBytesExactly(static_cast<std::uint64_t>(*device.bandwidthBytesPerSecond)) + "/s";
        text += '\n';
    }
    return text;
}

} // namespace sunder
