#include "analysis/device_rows.h"

#include "analysis/device_columns.h"
#include "analysis/device_presets.h"
#include "support/ascii.h"
#include "support/memory_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace sunder {
namespace {

constexpr std::size_t kMaxRows = 100'000;

std::string_view trimmed(std::string_view text)
{
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Splits a row into cells. Quoted cells may contain separators.
std::vector<std::string_view> cellsOf(std::string_view row, char separator)
{
    std::vector<std::string_view> cells;
    std::size_t from = 0;
    bool isQuoted = false;
    for (std::size_t i = 0; i <= row.size(); ++i) {
        if (i < row.size() && row[i] == '"')
            isQuoted = !isQuoted && row.find('"', i + 1) != std::string_view::npos;
        if (i < row.size() && (row[i] != separator || isQuoted))
            continue;
        cells.push_back(trimmed(row.substr(from, i - from)));
        from = i + 1;
    }
    return cells;
}

/// Returns "80 GB" for "80 GB HBM3".
std::string_view withoutKind(std::string_view cell)
{
    for (const std::string_view kind : {"HBM", "GDDR", "LPDDR", "DDR", "(HBM", "(GDDR", "(LPDDR", "VRAM", "RAM"})
        if (const std::size_t at = cell.find(std::string(" ") += kind); at != std::string_view::npos && at > 0)
            return trimmed(cell.substr(0, at));
    return cell;
}

Result<double> parseSpeed(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
        return fail(ErrorCode::malformed, "\"" + std::string(text) + "\" is not a number of at least 0");
    return value;
}

template <typename T>
tl::unexpected<Error> inRow(std::size_t row, const char* cell, const Result<T>& failed)
{
    Error error = failed.error();
    error.message = "row " + std::to_string(row) + ", " + cell + ": " + error.message;
    return tl::unexpected<Error>(std::move(error));
}

const std::vector<DeviceColumn>& columnsByPlace()
{
    static const std::vector<DeviceColumn> all = {
        {DeviceField::name}, {DeviceField::memory}, {DeviceField::speed}, {DeviceField::bandwidth}};
    return all;
}

/// Reads rows one by one. The first row may contain headings.
class RowReader {
public:
    RowReader(const DeviceUnits& units, char separator) : m_units(units), m_separator(separator) {}

    Result<void> read(std::string_view line, std::size_t row)
    {
        const std::vector<std::string_view> cells = cellsOf(line, m_separator);
        if (std::exchange(m_isFirst, false) && cells.size() >= 2 && std::none_of(cells.begin() + 1, cells.end(), isFigureCell)) {
            m_columns = deviceColumns(cells);
            for (std::size_t i = 0; i < cells.size(); ++i)
                if (m_columns[i].field == DeviceField::none && !cells[i].empty())
                    m_rows.passedOver.emplace_back(cells[i]);
            m_isBelowHeadings = true;
            return {};
        }
        if (std::exchange(m_isBelowHeadings, false) && takeUnits(cells, m_columns))
            return {};
        if (std::ranges::find(m_columns, DeviceField::memory, &DeviceColumn::field) == m_columns.end())
            return fail(ErrorCode::malformed,
                        "no memory column above row " + std::to_string(row) + "; name that column \"Memory\" or \"Memory (GB)\"");
        if (cells.size() < 2)
            return fail(ErrorCode::malformed,
                        "row " + std::to_string(row)
                            + " has one cell; a device needs a name and its memory, as in \"cuda:0, 16 GB\"");
        Device device;
        std::size_t count = 1;
        for (std::size_t i = 0; i < std::min(cells.size(), m_columns.size()); ++i)
            if (const Result<void> taken = take(cells[i], m_columns[i], row, device, count); !taken)
                return taken;
        return add(device, count);
    }

    [[nodiscard]] DeviceRows& rows() { return m_rows; }

private:
    Result<void> add(const Device& device, std::size_t count)
    {
        if (m_rows.devices.size() + count > kMaxRows)
            return fail(ErrorCode::refused, "more than 100,000 devices");
        for (std::size_t i = 0; i < count; ++i) {
            m_rows.devices.push_back(device);
            if (count > 1)
                m_rows.devices.back().name += " " + std::to_string(i);
            m_rows.devices.back().logicalId = static_cast<std::int64_t>(m_rows.devices.size()) - 1;
        }
        return {};
    }

    Result<void> take(std::string_view cell, const DeviceColumn& column, std::size_t row, Device& device, std::size_t& count)
    {
        switch (column.field) {
        case DeviceField::none: return {};
        case DeviceField::name: device.name = std::string(cell); return {};
        case DeviceField::count: return takeCount(cell, row, count);
        case DeviceField::memory: {
            const Result<double> bytes = bytesOf(cell, column, m_units.memory, m_rows.memoryWithoutUnit);
            if (!bytes)
                return inRow(row, "memory", bytes);
            device.availableBytes = *bytes;
            return {};
        }
        default: return cell.empty() ? Result<void>() : takeOptional(cell, column, row, device);
        }
    }

    Result<void> takeOptional(std::string_view cell, const DeviceColumn& column, std::size_t row, Device& device)
    {
        const auto put = [&](const Result<double>& figure, const char* what, std::optional<double>& into) -> Result<void> {
            if (!figure)
                return inRow(row, what, figure);
            into = *figure;
            return {};
        };
        switch (column.field) {
        case DeviceField::bandwidth:
            return put(bytesOf(cell, column, m_units.bandwidth, m_rows.bandwidthWithoutUnit), "bandwidth",
                       device.bandwidthBytesPerSecond);
        case DeviceField::memorySpeed:
            return put(bytesOf(cell, column, m_units.bandwidth, m_rows.bandwidthWithoutUnit), "memory bandwidth",
                       device.memoryBytesPerSecond);
        case DeviceField::compute: return put(flopsOf(cell, column), "compute", device.flopsPerSecond);
        default:
            if (cell.find("FLOP") != std::string_view::npos) // under a heading such as "Compute"
                return put(parseFlops(withDecimalPoint(cell)), "compute", device.flopsPerSecond);
            return put(parseSpeed(withDecimalPoint(cell)), "speed", device.speed);
        }
    }

    static Result<void> takeCount(std::string_view cell, std::size_t row, std::size_t& count)
    {
        if (cell.empty())
            return {};
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), count);
        if (error != std::errc() || end != cell.data() + cell.size() || count == 0)
            return inRow(
                row, "count",
                Result<void>(fail(ErrorCode::malformed, '"' + std::string(cell) + "\" is not a whole number of at least 1")));
        return {};
    }

    /// Parses a figure with the unit of its cell, otherwise that of its heading, otherwise `said`. `withoutUnit` keeps the
    /// largest figure without any unit.
    [[nodiscard]] Result<double> bytesOf(std::string_view cell, const DeviceColumn& column, const std::string& said,
                                         double& withoutUnit) const
    {
        const bool isRate = column.field != DeviceField::memory;
        const std::string whole = withDecimalPoint(withoutKind(cell));
        std::string figure = isRate ? whole.substr(0, whole.find("/s")) : whole;
        const bool isBare = lacksUnit(figure);
        const std::string& unit = column.unit.empty() ? said : column.unit;
        if (isBare && !unit.empty())
            figure += " " + unit;
        const std::string text = isBare ? figure : whole;
        SUNDER_TRY(const std::uint64_t bytes, isRate ? parseBytesPerSecond(text) : parseBytes(text));
        if (isBare && unit.empty())
            withoutUnit = std::max(withoutUnit, static_cast<double>(bytes));
        return static_cast<double>(bytes);
    }

    [[nodiscard]] Result<double> flopsOf(std::string_view cell, const DeviceColumn& column)
    {
        std::string figure = withDecimalPoint(cell);
        const bool isBare = figure.find_first_not_of("0123456789.,") == std::string::npos;
        std::erase(figure, ',');
        const std::string& unit = column.unit.empty() ? m_units.compute : column.unit;
        if (isBare && !unit.empty())
            figure += " " + unit;
        const Result<double> flops = parseFlops(figure);
        if (flops && isBare && unit.empty())
            m_rows.computeWithoutUnit = std::max(m_rows.computeWithoutUnit, *flops);
        return flops;
    }

    const DeviceUnits& m_units;
    char m_separator;
    std::vector<DeviceColumn> m_columns = columnsByPlace();
    DeviceRows m_rows;
    bool m_isFirst = true;
    bool m_isBelowHeadings = false;
};

/// Formats a rate so that it parses back to the same number: "989.4 TFLOP/s".
std::string exactFlops(double perSecond)
{
    char number[32] = {};
    std::to_chars(number, number + sizeof number - 1, perSecond / 1e12);
    std::string text = std::string(number) + " TFLOP/s";
    if (const Result<double> read = parseFlops(text); read && *read == perSecond)
        return text;
    std::ranges::fill(number, '\0');
    std::to_chars(number, number + sizeof number - 1, perSecond);
    return std::string(number) + " FLOP/s";
}

std::string exactRate(const std::optional<double>& bytes)
{
    return bytes ? formatBytesExactly(static_cast<std::uint64_t>(*bytes)) + "/s" : std::string();
}

} // namespace

std::string withDecimalPoint(std::string_view figure)
{
    std::string text(figure);
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos || comma == 0 || comma != text.rfind(',') || text.find('.') != std::string::npos)
        return text;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", comma + 1), text.size());
    const bool isGroup = end - comma - 1 == 3 && text.find_first_not_of("0") < comma;
    if (end > comma + 1 && !isGroup && isAsciiDigit(text[comma - 1]))
        text[comma] = '.';
    return text;
}

Result<DeviceRows> parseDeviceRows(std::string_view text, const DeviceUnits& units)
{
    const char separator = text.find('\t') != std::string_view::npos ? '\t'
        : text.find(';') != std::string_view::npos                   ? ';'
                                                                     : ',';
    RowReader reader(units, separator);
    std::size_t row = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const std::string_view line = text.substr(from, end - from);
        from = end + 1;
        ++row;
        if (trimmed(line).empty())
            continue;
        SUNDER_PROPAGATE(reader.read(line, row));
    }
    if (reader.rows().devices.empty())
        return fail(ErrorCode::malformed, "no devices found; a row needs a name and its memory, as in \"cuda:0, 16 GB\"");
    return std::move(reader.rows());
}

std::string_view likelyUnit(double largest)
{
    constexpr double kMaxGigabytes = 10'000; // 10 TB
    constexpr double kMaxMegabytes = 10'000'000;
    return largest < kMaxGigabytes ? "GB" : largest < kMaxMegabytes ? "MB" : "B";
}

std::string deviceRowsText(const std::vector<Device>& devices)
{
    const bool hasAll = std::ranges::any_of(
        devices, [](const Device& device) { return device.memoryBytesPerSecond || device.flopsPerSecond; });
    std::string text = hasAll ? "Device\tMemory\tSpeed\tBandwidth\tMemory bandwidth\tTFLOP/s\n" : "";
    for (const Device& device : devices) {
        text += device.name + '\t' + formatBytesExactly(static_cast<std::uint64_t>(device.availableBytes));
        if (hasAll || device.speed || device.bandwidthBytesPerSecond) {
            char number[32] = {};
            if (device.speed)
                std::to_chars(number, number + sizeof number - 1, *device.speed);
            text += '\t' + std::string(number);
        }
        if (hasAll || device.bandwidthBytesPerSecond)
            text += '\t' + exactRate(device.bandwidthBytesPerSecond);
        if (hasAll)
            text += '\t' + exactRate(device.memoryBytesPerSecond) + '\t'
                + (device.flopsPerSecond ? exactFlops(*device.flopsPerSecond) : std::string());
        text += '\n';
    }
    return text;
}

} // namespace sunder
