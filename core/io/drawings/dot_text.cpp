// DOT strings have only one escape, \" for a quote. All other backslashes are literal, including the first of two.
#include "io/drawings/dot_text.h"

#include "support/text.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace sunder {
namespace {

/// Escapes a character beyond 16 bits as a surrogate pair in JSON.
std::string surrogates(std::uint32_t code)
{
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "\\u%04x\\u%04x", 0xD800U + ((code - 0x10000U) >> 10U),
                  0xDC00U + ((code - 0x10000U) & 0x3FFU));
    return text.data();
}

/// Keeps line ends and tabs, and writes other control and invisible characters as JSON escapes.
std::string visibleJson(std::string_view json)
{
    std::string out;
    while (!json.empty()) {
        std::size_t size = 1;
        while (size < json.size() && (json[size] & '\xC0') == '\x80')
            ++size;
        const std::string_view one = json.substr(0, size);
        std::string escape = isVisible(one, Lines::keep) ? std::string(one) : visibleText(one);
        if (escape.size() == 4 && escape.starts_with("\\x"))
            escape = "\\u00" + escape.substr(2);
        else if (escape.size() == 10 && escape.starts_with("\\U"))
            escape = surrogates(static_cast<std::uint32_t>(std::stoul(escape.substr(2), nullptr, 16)));
        out += escape;
        json.remove_prefix(size);
    }
    return out;
}

} // namespace

std::string dotQuoted(std::string_view text)
{
    std::string out = "\"";
    std::size_t backslashes = 0; // number of backslashes directly before this position
    for (const char c : visibleText(text)) {
        if (c == '"')
            out += backslashes % 2 == 1 ? "\\\\\"" : "\\\"";
        else
            out += c;
        backslashes = c == '\\' ? backslashes + 1 : 0;
    }
    return out + (backslashes % 2 == 1 ? "\\\"" : "\"");
}

std::string dotQuotedJson(std::string_view text)
{
    std::string out = "\"";
    const std::string json = visibleJson(text);
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (json[i] == '\\' && i + 1 < json.size()) {
            ++i;
            if (json[i] == '"')
                out += "\\u0022";
            else if (json[i] == '\\')
                out += "\\u005c";
            else
                (out += '\\') += json[i];
        } else if (json[i] == '"') {
            out += "\\\"";
        } else {
            out += json[i];
        }
    }
    return out + '"';
}

std::string dotLabel(std::string_view text)
{
    std::string out = "\"";
    for (const char c : visibleText(text, Lines::keep)) {
        if (c == '"')
            out += "\\\"";
        else if (c == '\\')
            out += "\\\\";
        else if (c == '\n' || c == '\t')
            out += c == '\n' ? "\\n" : " ";
        else
            out += c;
    }
    return out + '"';
}

} // namespace sunder
