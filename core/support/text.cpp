#include "support/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace sunder {

std::string shellWord(std::string_view text)
{
    static constexpr std::string_view kPlain = "_-./:=+,@%";
    const auto isPlain = [](char c) { return isAsciiDigit(c) || isAsciiLetter(c) || kPlain.find(c) != std::string_view::npos; };
    if (!text.empty() && std::ranges::all_of(text, isPlain))
        return std::string(text);
    std::string word = "'";
    for (const char c : text) {
        if (c == '\'')
            word += "'\\''";
        else
            word += c;
    }
    return word + "'";
}

std::string shellInput(int number, std::string_view text)
{
    std::string end = "END";
    while (text.find(end) != std::string_view::npos)
        end += "_";
    std::string input = std::to_string(number) + "<<'" + end + "'\n" + std::string(text);
    if (!text.ends_with('\n'))
        input += '\n';
    return input + end + '\n';
}

namespace {

/// A character and its length in bytes; 0: no valid character starts there.
struct Decoded {
    std::uint32_t code = 0;
    std::size_t size = 0;
};

/// Decodes UTF-8 strictly: no surrogates, no overlong forms, nothing beyond U+10FFFF.
Decoded decode(std::string_view text)
{
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned first = byte(0);
    if (first < 0x80)
        return {first, 1};
    const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < size)
        return {};
    std::uint32_t code = first & (0x7FU >> size);
    for (std::size_t at = 1; at < size; ++at) {
        if ((byte(at) & 0xC0U) != 0x80)
            return {};
        code = code << 6U | (byte(at) & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> kMin = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kMin[size] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return {};
    return {code, size};
}

/// True for characters that are invisible or affect adjacent characters.
bool isUnseen(std::uint32_t code)
{
    struct Range {
        std::uint32_t first;
        std::uint32_t last;
    };
    static constexpr std::array kRanges = {
        Range{0x00, 0x1F},       Range{0x7F, 0x9F},       // controls
        Range{0xAD, 0xAD},                                // soft hyphen
        Range{0x34F, 0x34F},     Range{0x61C, 0x61C},     // grapheme joiner, Arabic letter mark
        Range{0x115F, 0x1160},   Range{0x17B4, 0x17B5},   // fillers, inherent vowels
        Range{0x180B, 0x180F},                            // Mongolian selectors
        Range{0x200B, 0x200F},   Range{0x2028, 0x202E},   // zero-width characters, line ends, directions
        Range{0x2060, 0x206F},   Range{0x3164, 0x3164},   // joiners, isolates
        Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0},   // byte order mark
        Range{0xFFF0, 0xFFFB},   Range{0x1BCA0, 0x1BCA3}, // annotations, shorthand
        Range{0x1D173, 0x1D17A}, Range{0xE0000, 0xE0FFF}, // musical, tags
    };
    for (const Range& range : kRanges)
        if (code >= range.first && code <= range.last)
            return true;
    const bool isNone = (code & 0xFFFEU) == 0xFFFE; // noncharacters
    return isNone;
}

bool isKept(std::uint32_t code, Lines lines)
{
    return (lines == Lines::keep && (code == '\n' || code == '\t')) || !isUnseen(code);
}

void escape(std::string& out, std::uint32_t code)
{
    switch (code) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
    }
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
    out += text.data();
}

/// Number of leading bytes that need no escaping.
std::size_t plainPrefix(std::string_view text, Lines lines)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte >= 0x20 && byte < 0x7F) {
            ++at;
            continue;
        }
        const Decoded next = decode(text.substr(at));
        if (next.size == 0 || !isKept(next.code, lines))
            break;
        at += next.size;
    }
    return at;
}

} // namespace

bool isVisible(std::string_view text, Lines lines)
{
    return plainPrefix(text, lines) == text.size();
}

std::string visibleText(std::string_view text, Lines lines)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t plain = plainPrefix(text, lines);
        out += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty())
            break;
        const Decoded next = decode(text);
        escape(out, next.size == 0 ? static_cast<unsigned char>(text.front()) : next.code);
        text.remove_prefix(next.size == 0 ? 1 : next.size);
    }
    return out;
}

std::string validUtf8(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        const std::size_t size = decode(text).size;
        out += size == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, size);
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return out;
}

} // namespace sunder
