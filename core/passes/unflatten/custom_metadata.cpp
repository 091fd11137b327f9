#include "passes/unflatten/custom_metadata.h"

#include <cstring>
#include <optional>

namespace sunder {
namespace {

/// Extent of the member `custom` in an object: from its key to the end of its value.
struct Place {
    std::size_t key = 0;
    std::size_t value = 0;
    std::size_t end = 0;
};

std::size_t endOfString(std::string_view text, std::size_t at)
{
    for (++at; at < text.size() && text[at] != '"'; ++at)
        at += text[at] == '\\' ? 1 : 0;
    return at + 1;
}

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Returns the position of the comma or bracket after the value that starts at `at`.
std::size_t endOfValue(std::string_view text, std::size_t at)
{
    std::size_t open = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"') {
            at = endOfString(text, at);
            continue;
        }
        if (open == 0 && (c == ',' || c == '}'))
            break;
        open += c == '{' || c == '[' ? 1 : 0;
        open -= c == '}' || c == ']' ? 1 : 0;
        ++at;
    }
    return at;
}

std::optional<Place> find(std::string_view json)
{
    std::size_t at = json.find('{');
    while (at != std::string_view::npos && at < json.size() && json[at] != '}') {
        const std::size_t key = json.find('"', at);
        if (key == std::string_view::npos)
            break;
        const std::size_t keyEnd = endOfString(json, key);
        std::size_t value = json.find(':', std::min(keyEnd, json.size()));
        if (value == std::string_view::npos)
            break;
        for (++value; value < json.size() && isSpace(json[value]);)
            ++value;
        const std::size_t end = endOfValue(json, value);
        if (json.substr(key, keyEnd - key) == "\"custom\"")
            return Place{key, value, end};
        at = end;
    }
    return std::nullopt;
}

} // namespace

std::string customOf(std::string_view json)
{
    constexpr std::string_view kKey = "custom\"";
    if (memmem(json.data(), json.size(), kKey.data(), kKey.size()) == nullptr) // fast path: most nodes have no such member
        return {};
    const std::optional<Place> place = find(json);
    if (!place)
        return {};
    std::string_view value = json.substr(place->value, place->end - place->value);
    while (!value.empty() && isSpace(value.back()))
        value.remove_suffix(1);
    return value == "{}" || value == "null" ? std::string() : std::string(value);
}

std::string withoutCustom(std::string_view json)
{
    const std::optional<Place> place = find(json);
    if (!place)
        return std::string(json);
    std::string_view before = json.substr(0, place->key);
    std::string_view after = json.substr(place->end);
    if (after.starts_with(',')) {
        after.remove_prefix(1);
    } else {
        while (!before.empty() && (isSpace(before.back()) || before.back() == ','))
            before.remove_suffix(1);
    }
    const std::string rest = std::string(before) + std::string(after);
    return rest.find('"') == std::string::npos ? std::string() : rest;
}

std::string withCustom(std::string_view json, std::string_view custom)
{
    std::string rest = withoutCustom(json);
    const std::string member = "\"custom\":" + std::string(custom);
    const std::size_t end = rest.rfind('}');
    if (rest.empty() || end == std::string::npos)
        return "{" + member + "}";
    rest.insert(end, "," + member);
    return rest;
}

} // namespace sunder
