#include "analysis/device_rows.h"

#include "support/memory_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <utility>

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

enum class Field : std::uint8_t { none, name, memory, speed, bandwidth };

/// A column by its heading, or by its place.
struct Column {
    Field field = Field::none;
    std::string unit = {}; ///< of figures without one
};

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
}

bool hasAny(const std::string& text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

/// The unit that stands in a heading: "Memory (GB)", "VRAM [MiB]", "bandwidth in GB/s".
std::string unitIn(std::string_view heading)
{
    constexpr std::string_view kBetween = " ()[]";
    std::string found;
    for (std::size_t from = heading.find_first_not_of(kBetween); from != std::string_view::npos;) {
        const std::size_t end = std::min(heading.find_first_of(kBetween, from), heading.size());
        const std::string word(heading.substr(from, end - from));
        // A letter alone would be a name as well: "Memory M".
        if (word.size() > 1 && word.find_first_of("bB") != std::string::npos && parseBytesPerSecond("1 " + word))
            found = word;
        from = heading.find_first_not_of(kBetween, end);
    }
    return found;
}

Column columnOf(std::string_view heading)
{
    const std::string text = lowered(heading);
    const bool isBandwidth = hasAny(text, {"bandwidth", "interconnect", "link", "/s"});
    const Field field = isBandwidth                                                   ? Field::bandwidth
        : hasAny(text, {"mem", "vram", "capacity", "hbm"})                            ? Field::memory
        : hasAny(text, {"speed", "relative", "compute"})                              ? Field::speed
        : hasAny(text, {"name", "device", "accelerator", "gpu", "npu", "host", "id"}) ? Field::name
                                                                                      : Field::none;
    return {.field = field, .unit = unitIn(heading)};
}

const std::vector<Column>& columnsByPlace()
{
    static const std::vector<Column> all = {{Field::name}, {Field::memory}, {Field::speed}, {Field::bandwidth}};
    return all;
}

/// Reads rows one by one; the first may say what the others are.
class RowReader {
public:
    explicit RowReader(const DeviceUnits& units) : m_units(units) {}

    Result<void> read(const std::vector<std::string_view>& cells, std::size_t row)
    {
        if (std::exchange(m_isFirst, false) && isHeadings(cells)) {
            takeHeadings(cells);
            return {};
        }
        if (std::none_of(m_columns.begin(), m_columns.end(), [](const Column& column) { return column.field == Field::memory; }))
            return fail(ErrorCode::malformed,
                        "no heading above row " + std::to_string(row)
                            + " is the memory: call that column \"Memory\", or \"Memory (GB)\"");
        if (cells.size() < 2)
            return fail(ErrorCode::malformed,
                        "row " + std::to_string(row)
                            + " has one cell; a device needs a name and its memory, as in \"cuda:0, 16 GB\"");
        Device device;
        for (std::size_t i = 0; i < std::min(cells.size(), m_columns.size()); ++i)
            if (const Result<void> taken = take(cells[i], m_columns[i], row, device); !taken)
                return taken;
        device.logicalId = static_cast<std::int64_t>(m_rows.devices.size());
        m_rows.devices.push_back(std::move(device));
        return {};
    }

    [[nodiscard]] DeviceRows& rows() { return m_rows; }

private:
    /// No cell beside the first is a figure.
    static bool isHeadings(const std::vector<std::string_view>& cells)
    {
        return cells.size() >= 2 && std::none_of(cells.begin() + 1, cells.end(), [](std::string_view cell) {
                   return cell.find_first_of("0123456789") != std::string_view::npos;
               });
    }

    void takeHeadings(const std::vector<std::string_view>& cells)
    {
        std::vector<Column> columns;
        for (const std::string_view cell : cells) {
            Column column = columnOf(cell);
            const bool isTaken = std::any_of(columns.begin(), columns.end(),
                                             [&](const Column& other) { return other.field == column.field; });
            columns.push_back(isTaken ? Column() : std::move(column)); // of two memories the first
        }
        const auto is = [](Field field) { return [field](const Column& column) { return column.field == field; }; };
        if (const auto name = std::find_if(columns.begin(), columns.end(), is(Field::none));
            name != columns.end() && std::none_of(columns.begin(), columns.end(), is(Field::name)))
            name->field = Field::name;
        m_columns = std::move(columns);
    }

    Result<void> take(std::string_view cell, const Column& column, std::size_t row, Device& device)
    {
        switch (column.field) {
        case Field::none: return {};
        case Field::name: device.name = std::string(cell); return {};
        case Field::speed: return takeSpeed(cell, row, device);
        case Field::memory: {
            const Result<double> bytes = bytesOf(cell, column, m_units.memory, m_rows.memoryWithoutUnit);
            if (!bytes)
                return inRow(row, "memory", bytes);
            device.availableBytes = *bytes;
            return {};
        }
        case Field::bandwidth: {
            if (cell.empty())
                return {};
            const Result<double> bytes = bytesOf(cell, column, m_units.bandwidth, m_rows.bandwidthWithoutUnit);
            if (!bytes)
                return inRow(row, "bandwidth", bytes);
            device.bandwidthBytesPerSecond = *bytes;
            return {};
        }
        }
        return {};
    }

    static Result<void> takeSpeed(std::string_view cell, std::size_t row, Device& device)
    {
        if (cell.empty())
            return {};
        const Result<double> speed = parseSpeed(cell);
        if (!speed)
            return inRow(row, "speed", speed);
        device.speed = *speed;
        return {};
    }

    /// A figure with the unit of its cell, else of its heading, else the one that is said; `withoutUnit` is the largest of those
    /// that have none.
    static Result<double> bytesOf(std::string_view cell, const Column& column, const std::string& said, double& withoutUnit)
    {
        const bool isRate = column.field == Field::bandwidth;
        std::string figure(isRate ? cell.substr(0, cell.find("/s")) : cell);
        const bool isBare = lacksUnit(figure);
        const std::string& unit = column.unit.empty() ? said : column.unit;
        if (isBare && !unit.empty())
            figure += " " + unit;
        const std::string text = isBare ? figure : std::string(cell);
        const Result<std::uint64_t> bytes = isRate ? parseBytesPerSecond(text) : parseBytes(text);
        if (!bytes)
            return forward(bytes);
        if (isBare && unit.empty())
            withoutUnit = std::max(withoutUnit, static_cast<double>(*bytes));
        return static_cast<double>(*bytes);
    }

    const DeviceUnits& m_units;
    std::vector<Column> m_columns = columnsByPlace();
    DeviceRows m_rows;
    bool m_isFirst = true;
};

} // namespace

Result<DeviceRows> parseDeviceRows(std::string_view text, const DeviceUnits& units)
{
    const char separator = text.find('\t') != std::string_view::npos ? '\t'
        : text.find(';') != std::string_view::npos                   ? ';'
                                                                     : ',';
    RowReader reader(units);
    std::size_t row = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const std::string_view line = text.substr(from, end - from);
        from = end + 1;
        ++row;
        if (trimmed(line).empty())
            continue;
        if (reader.rows().devices.size() == kMostRows)
            return fail(ErrorCode::refused, "there are more than 100,000 rows");
        if (const Result<void> read = reader.read(cellsOf(line, separator), row); !read)
            return forward(read);
    }
    if (reader.rows().devices.empty())
        return fail(ErrorCode::malformed, "there is no device in it; a row is a name and its memory, as in \"cuda:0, 16 GB\"");
    return std::move(reader.rows());
}

std::string_view likelyUnit(double largest)
{
    constexpr double kMostGigabytes = 10'000; // 10 TB
    constexpr double kMostMegabytes = 10'000'000;
    return largest < kMostGigabytes ? "GB" : largest < kMostMegabytes ? "MB" : "B";
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
