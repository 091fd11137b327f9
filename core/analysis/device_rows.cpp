#include "analysis/device_rows.h"

#include "analysis/device_columns.h"
#include "support/memory_text.h"
#include "support/text.h"

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

tl::unexpected<Error> inRow(std::size_t row, std::string_view cell, Error error)
{
    error.message = "row " + std::to_string(row) + ", " + std::string(cell) + ": " + error.message;
    return tl::unexpected<Error>(std::move(error));
}

const DeviceFigure& figureWithKey(std::string_view key)
{
    return *std::ranges::find(deviceFigures(), key, &DeviceFigure::key);
}

/// Columns without headings: the name and the first three figures.
const std::vector<DeviceColumn>& columnsByPlace()
{
    static const std::vector<DeviceColumn> all = [] {
        std::vector<DeviceColumn> columns{{.kind = DeviceColumn::Kind::name}};
        for (const DeviceFigure& figure : deviceFigures().first(3))
            columns.push_back({.kind = DeviceColumn::Kind::figure, .figure = &figure});
        return columns;
    }();
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
                if (m_columns[i].kind == DeviceColumn::Kind::ignored && !cells[i].empty())
                    m_rows.passedOver.emplace_back(cells[i]);
            m_isBelowHeadings = true;
            return {};
        }
        if (std::exchange(m_isBelowHeadings, false) && takeUnits(cells, m_columns))
            return {};
        if (std::ranges::find(m_columns, &deviceFigures().front(), &DeviceColumn::figure) == m_columns.end())
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
        switch (column.kind) {
        case DeviceColumn::Kind::ignored: return {};
        case DeviceColumn::Kind::name: device.name = std::string(cell); return {};
        case DeviceColumn::Kind::count: return takeCount(cell, row, count);
        case DeviceColumn::Kind::rates: return takeRates(cell, row, device);
        case DeviceColumn::Kind::figure: break;
        }
        const bool isRequired = column.figure->member == nullptr;
        if (cell.empty() && !isRequired)
            return {};
        // Under a heading such as "Compute", the unit decides.
        const bool isFlops = column.figure->unit == FigureUnit::factor && cell.find("FLOP") != std::string_view::npos;
        const DeviceFigure& figure = isFlops ? figureWithKey("flops_per_s") : *column.figure;
        const Result<double> value = valueOf(cell, figure, column.unit);
        if (!value)
            return inRow(row, figure.name, value.error());
        return setFigure(device, figure, *value);
    }

    static Result<void> takeRates(std::string_view cell, std::size_t row, Device& device)
    {
        Result<std::vector<DeviceRate>> rates = parseRates(cell);
        if (!rates)
            return inRow(row, "rates", rates.error());
        device.rates = std::move(*rates);
        return {};
    }

    static Result<void> takeCount(std::string_view cell, std::size_t row, std::size_t& count)
    {
        if (cell.empty())
            return {};
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), count);
        if (error != std::errc() || end != cell.data() + cell.size() || count == 0)
            return inRow(row, "count",
                         {ErrorCode::malformed, '"' + std::string(cell) + "\" is not a whole number of at least 1"});
        return {};
    }

    /// Parses a figure with the unit of its cell, otherwise that of its heading, otherwise the given one. The largest figure
    /// without any unit is kept.
    [[nodiscard]] Result<double> valueOf(std::string_view cell, const DeviceFigure& figure, const std::string& ofHeading)
    {
        std::string text = withDecimalPoint(figure.unit == FigureUnit::flopsPerSecond ? cell : withoutKind(cell));
        if (figure.unit == FigureUnit::factor)
            return parseFigure(figure, text);
        const bool isFlops = figure.unit == FigureUnit::flopsPerSecond;
        std::string bare = figure.unit == FigureUnit::bytesPerSecond ? text.substr(0, text.find("/s")) : text;
        const bool isBare = isFlops ? bare.find_first_not_of("0123456789.,") == std::string::npos : lacksUnit(bare);
        const std::string& unit = ofHeading.empty() ? unitFor(figure.unit) : ofHeading;
        if (isFlops)
            std::erase(text, ',');
        if (isBare)
            text = (isFlops ? text : bare) + (unit.empty() ? "" : " " + unit);
        const Result<double> value = parseFigure(figure, text);
        if (value && isBare && unit.empty()) {
            double& largest = withoutUnit(figure.unit);
            largest = std::max(largest, *value);
        }
        return value;
    }

    [[nodiscard]] const std::string& unitFor(FigureUnit unit) const
    {
        return unit == FigureUnit::bytes         ? m_units.memory
            : unit == FigureUnit::bytesPerSecond ? m_units.bandwidth
                                                 : m_units.compute;
    }

    [[nodiscard]] double& withoutUnit(FigureUnit unit)
    {
        return unit == FigureUnit::bytes         ? m_rows.memoryWithoutUnit
            : unit == FigureUnit::bytesPerSecond ? m_rows.bandwidthWithoutUnit
                                                 : m_rows.computeWithoutUnit;
    }

    const DeviceUnits& m_units;
    char m_separator;
    std::vector<DeviceColumn> m_columns = columnsByPlace();
    DeviceRows m_rows;
    bool m_isFirst = true;
    bool m_isBelowHeadings = false;
};

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
    const std::span<const DeviceFigure> figures = deviceFigures();
    std::size_t used = 0;
    for (const Device& device : devices)
        for (std::size_t i = used; i < figures.size(); ++i)
            if (figureOf(device, figures[i]))
                used = i + 1;
    const bool hasRates = std::ranges::any_of(devices, [](const Device& device) { return !device.rates.empty(); });
    const bool hasHeadings = hasRates || used >= columnsByPlace().size();
    if (hasHeadings)
        used = figures.size();
    std::string text;
    if (hasHeadings) {
        text = "Device";
        for (const DeviceFigure& figure : figures)
            text += '\t' + std::string(figure.unit == FigureUnit::flopsPerSecond ? "TFLOP/s" : figure.heading);
        text += hasRates ? "\tRates\n" : "\n";
    }
    for (const Device& device : devices) {
        std::string row = device.name;
        for (const DeviceFigure& figure : figures.first(used)) {
            const std::optional<double> value = figureOf(device, figure);
            row += '\t' + (value ? exactFigureText(figure, *value) : std::string());
        }
        if (hasRates)
            row += '\t' + ratesText(device);
        while (!hasHeadings && row.ends_with('\t'))
            row.pop_back();
        text += row + '\n';
    }
    return text;
}

} // namespace sunder
