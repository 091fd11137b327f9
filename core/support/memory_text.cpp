// Parses and formats sizes of memory. Numbers without an exponent are parsed as integers, so that all byte counts are exact;
// others are parsed as double.
#include "support/memory_text.h"

#include "support/format.h"
#include "support/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace sunder {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kLongestQuote = 40;

struct Unit {
    std::string_view name; ///< as displayed
    std::string_view key;  ///< lower case, without the B
    std::uint64_t bytes;
};

constexpr std::array kUnits = {
    Unit{"B", "", 1},
    Unit{"kB", "k", 1000},
    Unit{"MB", "m", 1'000'000},
    Unit{"GB", "g", 1'000'000'000},
    Unit{"TB", "t", 1'000'000'000'000},
    Unit{"PB", "p", 1'000'000'000'000'000},
    Unit{"EB", "e", 1'000'000'000'000'000'000},
    Unit{"KiB", "ki", 1ULL << 10U},
    Unit{"MiB", "mi", 1ULL << 20U},
    Unit{"GiB", "gi", 1ULL << 30U},
    Unit{"TiB", "ti", 1ULL << 40U},
    Unit{"PiB", "pi", 1ULL << 50U},
    Unit{"EiB", "ei", 1ULL << 60U},
};

/// Converts to lower case, replaces the spaces used by spreadsheets (no-break, narrow, thin) by plain ones, and trims.
std::string normalized(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        if (rest.starts_with("\xc2\xa0")) {
            out += ' ';
            i += 1;
        } else if (rest.starts_with("\xe2\x80\xaf") || rest.starts_with("\xe2\x80\x89")) {
            out += ' ';
            i += 2;
        } else if (text[i] == '\t') {
            out += ' ';
        } else {
            out += text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
        }
    }
    out.erase(0, std::min(out.find_first_not_of(' '), out.size()));
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

std::string quoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text.substr(0, kLongestQuote))
        out += c == '\n' || c == '\r' ? ' ' : c;
    return out + (text.size() > kLongestQuote ? "…\"" : "\"");
}

tl::unexpected<Error> failed(std::string message)
{
    return fail(ErrorCode::usage, std::move(message));
}

/// Returns whether the separator at `i` is followed by exactly three digits.
bool isGroup(std::string_view text, std::size_t i)
{
    if (i + 4 > text.size() || !std::all_of(&text[i + 1], &text[i + 1] + 3, isAsciiDigit))
        return false;
    return i + 4 == text.size() || !isAsciiDigit(text[i + 4]);
}

/// Removes the separators that group the leading digits; returns the text unchanged if they do not.
std::string ungrouped(const std::string& text)
{
    std::string out;
    std::size_t i = 0;
    for (; i < text.size(); ++i) {
        const bool separates = text[i] == ',' || text[i] == '_' || text[i] == ' ';
        if (separates && !out.empty() && isGroup(text, i))
            continue;
        if (!isAsciiDigit(text[i]))
            break;
        out += text[i];
    }
    return out + text.substr(i);
}

/// Returns the bytes of a unit ("gb", "mib", "k", "bytes").
Result<std::uint64_t> unitOf(std::string_view text, std::string_view whole)
{
    if (text == "byte" || text == "bytes")
        return 1;
    if (text.find("bit") != std::string_view::npos)
        return failed(quoted(whole) + " is in bits; give bytes, e.g. \"16 GB\"");
    std::string_view key = text;
    if (key.ends_with('b'))
        key.remove_suffix(1);
    for (const Unit& unit : kUnits)
        if (unit.key == key)
            return unit.bytes;
    return failed(quoted(whole) + " has the unknown unit " + quoted(text) + "; use B, kB, MB, GB, TB, KiB, MiB, GiB, or TiB");
}

Result<std::uint64_t> tooLarge(std::string_view whole)
{
    return failed(quoted(whole) + " is more than the maximum of 18 EB");
}

/// Multiplies a decimal number ("12", "1.5", ".5") by a unit, rounded to the nearest byte; nothing if it is too large.
std::optional<std::uint64_t> productOf(std::string_view number, std::uint64_t unit)
{
    const std::size_t point = std::min(number.find('.'), number.size());
    const std::string_view decimals = number.substr(std::min(point + 1, number.size()));
    // From the last digit to the first: the sum of nine units and the carry does not overflow.
    std::uint64_t fraction = 0;
    for (std::size_t i = decimals.size(); i-- > 0;)
        fraction = (fraction + static_cast<std::uint64_t>(decimals[i] - '0') * unit + (i == 0 ? 5 : 0)) / 10;
    std::uint64_t count = 0;
    const auto read = std::from_chars(number.data(), number.data() + point, count);
    const bool fits = (point == 0 || read.ec == std::errc()) && count <= kMax / unit && count * unit <= kMax - fraction;
    return fits ? std::optional(count * unit + fraction) : std::nullopt;
}

std::optional<std::uint64_t> rounded(double bytes)
{
    constexpr double kBeyond = 18446744073709551616.0;
    bytes = std::round(bytes);
    return bytes < kBeyond ? std::optional(static_cast<std::uint64_t>(bytes)) : std::nullopt;
}

Result<std::uint64_t> parse(const std::string& text, std::string_view whole)
{
    if (text.empty())
        return failed("the size is missing; write a size such as \"16 GB\" or \"512 MiB\"");
    if (text.front() == '-')
        return failed(quoted(whole) + " is negative; the minimum is 0 bytes");
    const std::string plain = ungrouped(text.front() == '+' ? text.substr(1) : text);
    if (plain.empty() || (!isAsciiDigit(plain.front()) && plain.front() != '.'))
        return failed(quoted(whole) + " does not start with a number; write a size such as \"16 GB\" or \"512 MiB\"");
    const char* const begin = plain.data();
    const char* const end = begin + plain.size();
    double value = 0;
    const auto real = std::from_chars(begin, end, value);
    if (real.ec == std::errc::result_out_of_range)
        return tooLarge(whole);
    if (real.ec != std::errc())
        return failed(quoted(whole) + " does not start with a number; write a size such as \"16 GB\" or \"512 MiB\"");
    std::string_view unit(real.ptr, static_cast<std::size_t>(end - real.ptr));
    if (unit.starts_with(','))
        return failed(quoted(whole) + " has a decimal comma; use a point, as in \"1.5 GB\"");
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    const Result<std::uint64_t> factor = unitOf(unit, whole);
    if (!factor)
        return factor;
    const std::string_view number(begin, static_cast<std::size_t>(real.ptr - begin));
    const std::optional<std::uint64_t> bytes = number.find('e') == std::string_view::npos
        ? productOf(number, *factor)
        : rounded(value * static_cast<double>(*factor));
    return bytes ? Result<std::uint64_t>(*bytes) : tooLarge(whole);
}

/// Formats `bytes` in a unit with at most three decimals; empty if that is not exact.
std::string inUnit(std::uint64_t bytes, const Unit& unit)
{
    std::uint64_t rest = bytes % unit.bytes;
    std::string decimals;
    while (rest != 0) {
        if (decimals.size() == 3)
            return {};
        // rest < 2^60, so ten times rest does not overflow.
        decimals += static_cast<char>('0' + rest * 10 / unit.bytes);
        rest = rest * 10 % unit.bytes;
    }
    return formatCount(bytes / unit.bytes) + (decimals.empty() ? "" : "." + decimals) + " " + std::string(unit.name);
}

} // namespace

Result<std::uint64_t> parseBytes(std::string_view text)
{
    return parse(normalized(text), text);
}

bool lacksUnit(std::string_view text)
{
    const Result<std::uint64_t> bytes = parseBytes(std::string(text) + " B"); // valid with a unit appended: it has none
    return bytes && *bytes > 0;
}

Result<std::uint64_t> parseBytesPerSecond(std::string_view text)
{
    std::string plain = normalized(text);
    // units of link speeds, in which case distinguishes bits from bytes
    for (const std::string_view bits : {"kb", "Mb", "Gb", "Tb"})
        for (const std::string_view suffix : {"/s", "ps", "/sec"})
            if (text.ends_with(std::string(bits) += suffix))
                return failed(quoted(text) + " is in bits; give bytes, e.g. \"50 GB/s\" for 400 Gb/s");
    for (const std::string_view suffix : {"/s", "/sec", "ps", "per second"})
        if (plain.ends_with(suffix)) {
            plain.resize(plain.size() - suffix.size());
            return parse(normalized(plain), text);
        }
    return parse(plain, text);
}

std::string formatBytesExactly(std::uint64_t bytes)
{
    std::string best;
    for (const Unit& unit : kUnits) {
        if (bytes < unit.bytes && unit.bytes != 1)
            continue;
        std::string text = inUnit(bytes, unit);
        // Use a binary unit only if it is exact without decimals; otherwise users would not recognize the number.
        const bool isOdd = unit.key.ends_with('i') && text.find('.') != std::string::npos;
        if (!text.empty() && !isOdd && (best.empty() || text.size() < best.size()))
            best = std::move(text);
    }
    return best;
}

std::string formatBytesBeside(std::uint64_t bytes, std::uint64_t other)
{
    const std::string text = formatBytes(bytes);
    return bytes != other && text == formatBytes(other) ? formatBytesExactly(bytes) : text;
}

std::string formatBytesAtLeast(std::uint64_t bytes)
{
    if (bytes < 1000)
        return formatBytes(bytes);
    std::uint64_t step = 100; // a tenth of the unit that formatBytes() uses
    while (step < 100'000'000'000'000'000 && bytes >= step * 10'000)
        step *= 1000;
    const std::uint64_t over = bytes % step;
    return formatBytes(over == 0 ? bytes : bytes + std::min(step - over, ~std::uint64_t{0} - bytes));
}

} // namespace sunder
