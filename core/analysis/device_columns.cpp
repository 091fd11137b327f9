#include "analysis/device_columns.h"

#include "analysis/device_presets.h"
#include "support/ascii.h"
#include "support/memory_text.h"

#include <algorithm>
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

DeviceField fieldOf(const Heading& heading, const std::string& unit)
{
    const bool isOfMemory = heading.contains({"mem", "vram", "capacity", "hbm", "gddr"}) || heading.has({"ram", "dram", "size"});
    if (heading.contains({"flop"}) || heading.has({"fp16", "bf16"})) {
        const bool isOther = heading.contains({"fp8", "fp4", "fp32", "fp64", "tf32", "int8", "sparse"});
        return isOther ? DeviceField::none : DeviceField::compute;
    }
    if (heading.contains({"clock", "mhz", "ghz", "capability", "power", "price", "cost"}) || heading.has({"tops", "tdp", "year"}))
        return DeviceField::none;
    const bool isLink = heading.contains({"interconnect", "link", "pcie", "network", "peer"});
    if (isLink || heading.contains({"bandwidth", "throughput", "/s"}) || heading.has({"bw"}) || isRateUnit(unit))
        return isOfMemory && !isLink ? DeviceField::memorySpeed : DeviceField::bandwidth;
    if (isOfMemory)
        return DeviceField::memory;
    if (heading.contains({"speed", "relative", "compute"}))
        return DeviceField::speed;
    if (heading.has({"count", "qty", "quantity"}) || heading.text == "number")
        return DeviceField::count;
    if (heading.contains({"name", "device", "accelerator", "gpu", "npu", "host", "model", "card", "chip"}) || heading.has({"id"}))
        return DeviceField::name;
    return DeviceField::none;
}

bool hasField(const std::vector<DeviceColumn>& columns, DeviceField field)
{
    return std::ranges::find(columns, field, &DeviceColumn::field) != columns.end();
}

} // namespace

bool isFigureCell(std::string_view cell)
{
    const std::size_t first = cell.find_first_not_of("+-~. ");
    return first != std::string_view::npos && isAsciiDigit(cell[first]);
}

std::vector<DeviceColumn> deviceColumns(const std::vector<std::string_view>& headings)
{
    std::vector<DeviceColumn> columns;
    for (const std::string_view heading : headings) {
        DeviceColumn column{.unit = unitIn(heading)};
        column.field = fieldOf(Heading(heading), column.unit);
        if (hasField(columns, column.field)) // of two memory columns, the first is used
            column.field = DeviceField::none;
        columns.push_back(std::move(column));
    }
    const auto isMemoryByUnit = [](const DeviceColumn& column) {
        return column.field == DeviceField::none && !column.unit.empty() && !isRateUnit(column.unit) && !isFlops(column.unit);
    };
    if (!hasField(columns, DeviceField::memory))
        if (const auto memory = std::ranges::find_if(columns, isMemoryByUnit); memory != columns.end())
            memory->field = DeviceField::memory;
    if (!hasField(columns, DeviceField::name))
        if (const auto name = std::ranges::find(columns, DeviceField::none, &DeviceColumn::field); name != columns.end())
            name->field = DeviceField::name;
    return columns;
}

bool takeUnits(const std::vector<std::string_view>& cells, std::vector<DeviceColumn>& columns)
{
    std::vector<std::string> units(columns.size());
    bool isAny = false;
    for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i) {
        units[i] = unitIn(cells[i]);
        if (i > 0 && units[i].empty() && !cells[i].empty() && columns[i].field != DeviceField::none)
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
