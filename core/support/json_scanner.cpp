#include "support/json_scanner.h"

#include <cctype>
#include <cstdint>
#include <optional>

namespace sunder {
namespace {

bool isHighSurrogate(std::uint32_t unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

bool isLowSurrogate(std::uint32_t unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

/// Reads the four hexadecimal digits after "\u".
std::optional<std::uint32_t> codeUnit(TextCursor& text)
{
    std::uint32_t unit = 0;
    for (int i = 0; i < 4; ++i) {
        const char c = text.peek();
        if (std::isxdigit(static_cast<unsigned char>(c)) == 0)
            return std::nullopt;
        text.next();
        unit = unit * 16 + static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return unit;
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

/// Reads the second half of a surrogate pair. Leaves the position unchanged if there is none.
std::optional<std::uint32_t> takeLowSurrogate(TextCursor& text)
{
    TextCursor ahead = text;
    for (const char expected : {'\\', 'u'}) {
        if (ahead.peek() != expected)
            return std::nullopt;
        ahead.next();
    }
    const std::optional<std::uint32_t> unit = codeUnit(ahead);
    if (!unit || !isLowSurrogate(*unit))
        return std::nullopt;
    text = ahead;
    return unit;
}

} // namespace

bool JsonScanner::escape(std::string& value)
{
    if (m_text.isDone())
        return false;
    const char c = m_text.next();
    constexpr std::string_view kLetters = "bfnrt";
    constexpr std::string_view kMeant = "\b\f\n\r\t";
    if (const std::size_t at = kLetters.find(c); at != std::string_view::npos) {
        value += kMeant[at];
        return true;
    }
    if (c != 'u') {
        value += c;
        return c == '"' || c == '\\' || c == '/';
    }
    const std::size_t start = m_text.position();
    const std::optional<std::uint32_t> unit = codeUnit(m_text);
    if (!unit)
        return false;
    if (const std::optional<std::uint32_t> low = isHighSurrogate(*unit) ? takeLowSurrogate(m_text) : std::nullopt) {
        appendUtf8(value, 0x10000 + ((*unit - 0xd800) << 10) + (*low - 0xdc00));
        return true;
    }
    if (isHighSurrogate(*unit) || isLowSurrogate(*unit))
        value.append("\\u").append(m_text.since(start));
    else
        appendUtf8(value, *unit);
    return true;
}

bool JsonScanner::string(std::string& value)
{
    value.clear();
    if (!m_text.take('"'))
        return false;
    while (!m_text.isDone() && m_text.peek() != '"') {
        const char c = m_text.next();
        if (c != '\\')
            value += c;
        else if (!escape(value))
            return false;
    }
    return m_text.take('"');
}

bool JsonScanner::word(std::string& value)
{
    value.clear();
    m_text.skipSpace();
    const auto stands = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '.';
    };
    while (stands(m_text.peek()))
        value += m_text.next();
    return !value.empty();
}

bool JsonScanner::isAtString()
{
    m_text.skipSpace();
    return m_text.peek() == '"';
}

bool JsonScanner::skip()
{
    std::string text;
    if (isAtString())
        return string(text);
    std::size_t open = 0;
    const std::size_t start = m_text.position();
    while (!m_text.isDone()) {
        const char c = m_text.peek();
        if (c == '"') {
            if (!string(text))
                return false;
            continue;
        }
        if (open == 0 && (c == ',' || c == ']' || c == '}'))
            break;
        open += c == '[' || c == '{' ? 1 : 0;
        open -= c == ']' || c == '}' ? 1 : 0;
        m_text.next();
    }
    return open == 0 && m_text.position() > start;
}

} // namespace sunder
