#include "analysis/device_columns.h"

#include "analysis/device.h"
#include "support/memory_text.h"
#include "support/text.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace sunder {
namespace {

using Words = std::initializer_list<std::string_view>;

/// A heading in lower case, as a whole and split into alphanumeric words.
struct Heading {
    explicit Heading(std::string_view heading)
    {
        std::string word;
        for (const char c : heading) {
            const char low = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
            text += low;
            if (isAsciiDigit(low) || (low >= 'a' && low <= 'z')) {
                word += low;
            } else if (!word.empty()) {
                words.push_back(std::move(word));
                word.clear();
            }
        }
        if (!word.empty())
            words.push_back(std::move(word));
    }

    [[nodiscard]] bool contains(Words parts) const
    {
        return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != std::string::npos; });
    }
    [[nodiscard]] bool has(Words any) const
    {
        return std::ranges::any_of(any, [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); });
    }

    std::string text;
    std::vector<std::string> words;
};

bool isRateUnit(std::string_view unit)
{
    return unit.find('/') != std::string_view::npos || unit.ends_with("ps") || unit.ends_with("PS");
}

bool isFlops(const std::string& unit)
{
    return Heading(unit).contains({"flop"});
}

bool isUnit(const std::string& word)
{
    // A single letter may be a name as well: "Memory M".
    if (word.size() < 2)
        return false;
    if (isFlops(word))
        return bool(parseFlops("1 " + word));
    const Heading lower(word);
    const bool isBytes = word.find_first_of("bB") != std::string::npos && parseBytesPerSecond("1 " + word);
    // Units of bits are recognized so that their figures are refused; otherwise the user would be asked for a unit.
    return isBytes || lower.contains({"gbit", "mbit", "gbps", "mbps", "gb/s", "mb/s"});
}

/// Returns the unit in a heading: "Memory (GB)", "VRAM [MiB]", "bandwidth in GB/s".
std::string unitIn(std::string_view heading)
{
    constexpr std::string_view kBetween = " ()[],:_";
    std::string found;
    for (std::size_t from = heading.find_first_not_of(kBetween); from != std::string_view::npos;) {
        const std::size_t end = std::min(heading.find_first_of(kBetween, from), heading.size());
        std::string word(heading.substr(from, end - from));
        if (isUnit(word))
            found = std::move(word);
        from = heading.find_first_not_of(kBetween, end);
    }
    return found;
}

/// Returns whether the heading contains one of the terms (HeadingTerms).
bool hasTerm(const Heading& heading, const std::string& unit, std::string_view terms)
{
    for (std::size_t from = 0; from < terms.size();) {
        const std::size_t end = std::min(terms.find(' ', from), terms.size());
        const std::string_view term = terms.substr(from, end - from);
        from = end + 1;
        if (term == "@rate" ? isRateUnit(unit) : term.starts_with('=') ? heading.has({term.substr(1)}) : heading.contains({term}))
            return true;
    }
    return false;
}

bool fitsTerms(const Heading& heading, const std::string& unit, const HeadingTerms& terms)
{
    return hasTerm(heading, unit, terms.any) && (terms.andAny.empty() || hasTerm(heading, unit, terms.andAny))
        && !hasTerm(heading, unit, terms.none);
}

/// Figures that devices do not have.
constexpr HeadingTerms kIgnored[] = {
    {.any = "flop =fp16 =bf16", .andAny = "fp8 fp4 fp32 fp64 tf32 int8 sparse"},
    {.any = "clock mhz ghz capability power price cost =tops =tdp =year", .none = "flop =fp16 =bf16"},
};

DeviceColumn columnUnder(const Heading& heading, const std::string& unit)
{
    const auto isFitting = [&](const HeadingTerms& terms) { return fitsTerms(heading, unit, terms); };
    if (std::ranges::any_of(kIgnored, isFitting))
        return {};
    const DeviceFigure* last = nullptr; // the most specific terms are those of the last figures
    for (const DeviceFigure& figure : deviceFigures())
        if (isFitting(figure.terms))
            last = &figure;
    if (last != nullptr)
        return {.kind = DeviceColumn::Kind::figure, .figure = last};
    if (heading.text == "rates") // as deviceRowsText() writes them
        return {.kind = DeviceColumn::Kind::rates};
    if (heading.has({"count", "qty", "quantity"}) || heading.text == "number")
        return {.kind = DeviceColumn::Kind::count};
    if (heading.contains({"name", "device", "accelerator", "gpu", "npu", "host", "model", "card", "chip"}) || heading.has({"id"}))
        return {.kind = DeviceColumn::Kind::name};
    return {};
}

bool hasColumn(const std::vector<DeviceColumn>& columns, const DeviceColumn& like)
{
    return std::ranges::any_of(columns, [&](const DeviceColumn& column) { return column.isLike(like); });
}

} // namespace

bool isFigureCell(std::string_view cell)
{
    const std::size_t first = cell.find_first_not_of("+-~. ");
    if (first == std::string_view::npos)
        return false;
    if (isAsciiDigit(cell[first]))
        return true;
    const std::vector<std::string> words = Heading(cell).words; // of a spreadsheet or a script
    constexpr std::array<std::string_view, 3> kNoNumbers{"nan", "inf", "infinity"};
    return !words.empty() && words.size() <= 2 && std::ranges::find(kNoNumbers, words.front()) != kNoNumbers.end();
}

std::vector<DeviceColumn> deviceColumns(const std::vector<std::string_view>& headings)
{
    using Kind = DeviceColumn::Kind;
    std::vector<DeviceColumn> columns;
    for (const std::string_view heading : headings) {
        const std::string unit = unitIn(heading);
        DeviceColumn column = columnUnder(Heading(heading), unit);
        if (hasColumn(columns, column)) // of two memory columns, the first is used
            column = {};
        column.unit = unit;
        columns.push_back(std::move(column));
    }
    const auto isMemoryByUnit = [](const DeviceColumn& column) {
        return column.kind == Kind::ignored && !column.unit.empty() && !isRateUnit(column.unit) && !isFlops(column.unit);
    };
    const DeviceFigure& memory = deviceFigures().front();
    if (!hasColumn(columns, {.kind = Kind::figure, .figure = &memory}))
        if (const auto found = std::ranges::find_if(columns, isMemoryByUnit); found != columns.end()) {
            found->kind = Kind::figure;
            found->figure = &memory;
        }
    if (!hasColumn(columns, {.kind = Kind::name}))
        if (const auto name = std::ranges::find(columns, Kind::ignored, &DeviceColumn::kind); name != columns.end())
            name->kind = Kind::name;
    return columns;
}

bool takeUnits(const std::vector<std::string_view>& cells, std::vector<DeviceColumn>& columns)
{
    std::vector<std::string> units(columns.size());
    bool isAny = false;
    for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i) {
        units[i] = unitIn(cells[i]);
        if (i > 0 && units[i].empty() && !cells[i].empty() && columns[i].kind != DeviceColumn::Kind::ignored)
            return false;
        isAny = isAny || !units[i].empty();
    }
    if (!isAny || std::ranges::any_of(cells, isFigureCell))
        return false;
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (!units[i].empty())
            columns[i].unit = units[i];
    return true;
}

} // namespace sunder
