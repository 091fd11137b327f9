#include "support/json_parser.h"

#include <algorithm>

namespace sunder {
namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

} // namespace

std::string describe(const JsonFault& fault)
{
    std::string text = "is not JSON";
    switch (fault.kind) {
    case JsonFault::Kind::syntax: break;
    case JsonFault::Kind::truncated: text += ": it is truncated"; break;
    case JsonFault::Kind::notUtf8: text = "is not valid UTF-8"; break;
    case JsonFault::Kind::numberRange: text = "holds a number out of range"; break;
    }
    return text + " (byte " + std::to_string(fault.byte) + ")";
}

bool isBeyondDouble(std::string_view digits)
{
    const std::size_t end = std::min(digits.find_first_of("eE"), digits.size());
    const std::size_t point = std::min(digits.find('.'), end);
    const std::size_t first = digits.find_first_of("123456789");
    if (first >= end)
        return false;
    std::int64_t exponent = 0;
    if (end < digits.size()) {
        const std::string_view text = digits.substr(digits[end + 1] == '+' ? end + 2 : end + 1);
        if (std::from_chars(text.data(), text.data() + text.size(), exponent).ec == std::errc::result_out_of_range)
            return text.front() != '-';
    }
    return exponent + static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) > 0;
}

std::optional<std::size_t> wrongPlaceInNumber(std::string_view text)
{
    std::size_t at = text.starts_with('-') ? 1 : 0;
    const auto skipDigits = [&] {
        const std::size_t start = at;
        while (at < text.size() && isDigit(text[at]))
            ++at;
        return at > start;
    };
    if (at < text.size() && text[at] == '0')
        ++at;
    else if (!skipDigits())
        return at;
    if (at < text.size() && text[at] == '.' && (++at, !skipDigits()))
        return at;
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        at += at < text.size() && (text[at] == '+' || text[at] == '-') ? 1 : 0;
        if (!skipDigits())
            return at;
    }
    return at == text.size() ? std::nullopt : std::optional(at);
}

void appendUtf8(std::string& out, std::uint32_t point)
{
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | (point >> shift & 0x3f)); };
    if (point < 0x80) {
        out += static_cast<char>(point);
    } else if (point < 0x800) {
        out += static_cast<char>(0xc0 | point >> 6);
        tail(0);
    } else if (point < 0x10000) {
        out += static_cast<char>(0xe0 | point >> 12);
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xf0 | point >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

} // namespace sunder
