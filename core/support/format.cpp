#include "support/format.h"

#include <array>
#include <cstdio>
#include <string_view>

namespace sunder {

std::string formatBytes(std::uint64_t bytes)
{
    if (bytes < 1000)
        return std::to_string(bytes) + " B";
    static constexpr std::array kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (value /= 1000; value >= 999.95 && unit + 1 < kUnits.size(); value /= 1000)
        ++unit;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f %s", value, kUnits[unit]);
    return text.data();
}

std::string formatSeconds(double seconds)
{
    static constexpr std::array kUnits = {"s", "ms", "µs", "ns"};
    double value = seconds;
    std::size_t unit = 0;
    for (; value > 0 && value < 0.9995 && unit + 1 < kUnits.size(); value *= 1000)
        ++unit;
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), value < 1000 ? "%.3g %s" : "%.0f %s", value, kUnits[unit]);
    return text.data();
}

std::string formatCount(std::uint64_t count)
{
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3; at -= 3)
        text.insert(at - 3, ",");
    return text;
}

std::string formatCount(std::uint64_t count, const char* noun)
{
    const std::string_view word = noun;
    const char* plural = word.ends_with("ch") || word.ends_with("x") ? "es" : "s";
    return formatCount(count) + " " + noun + (count == 1 ? "" : plural);
}

} // namespace sunder
