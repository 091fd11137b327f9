#include "support/json_text.h"

#include <array>
#include <charconv>

namespace sunder {
namespace {

void appendEscape(std::string& out, unsigned char c)
{
    static constexpr std::string_view kHex = "0123456789abcdef";
    switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    default: break;
    }
    out += "\\u00";
    out += kHex[c >> 4U];
    out += kHex[c & 15U];
}

} // namespace

void appendJsonString(std::string& out, std::string_view text)
{
    out += '"';
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        out.append(text, start, i - start);
        appendEscape(out, c);
        start = i + 1;
    }
    out.append(text, start, text.size() - start);
    out += '"';
}

void appendJsonFloat(std::string& out, double value)
{
    std::array<char, 40> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
    out += text;
    if (text.find_first_of(".e") == std::string_view::npos)
        out += ".0";
}

void appendJsonInteger(std::string& out, std::int64_t value)
{
    std::array<char, 24> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    out.append(buffer.data(), end);
}

std::string& startJsonMember(std::string& object, std::string_view key)
{
    object += object.empty() ? '{' : ',';
    appendJsonString(object, key);
    return object += ':';
}

void closeJsonObject(std::string& object)
{
    if (!object.empty())
        object += '}';
}

void appendJsonMembers(std::string& out, std::string_view object)
{
    if (object.size() <= 2)
        return;
    out += ',';
    out += object.substr(1, object.size() - 2);
}

} // namespace sunder
