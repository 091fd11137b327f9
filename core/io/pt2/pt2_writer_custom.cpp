#include "io/pt2/pt2_writer_custom.h"

#include "io/json/json_tape.h"
#include "io/json/json_text.h"

#include <utility>

namespace sunder {
namespace {

constexpr unsigned kDeepestTag = 64;

} // namespace

std::string pt2CustomWithMember(const std::string& custom, std::string_view name, const std::string& value)
{
    JsonTape tape;
    std::string out = "{";
    const auto append = [&out](std::string_view key, const std::string& json) {
        out += out.size() == 1 ? "" : ",";
        appendJsonString(out, key);
        out += ':' + json;
    };
    const bool isObject = !custom.empty() && tape.parse(custom, kDeepestTag) && tape.root().is(JsonType::object);
    if (!isObject && !custom.empty() && value.empty())
        return custom;
    bool isPlaced = value.empty();
    for (JsonValue key = isObject ? tape.root().firstItem() : JsonValue(); key; key = key.nextMember()) {
        if (key.text() != name)
            append(key.text(), key.memberValue().raw());
        else if (!std::exchange(isPlaced, true))
            append(name, value);
    }
    if (!isPlaced)
        append(name, value);
    return out.size() == 1 ? std::string() : out + "}";
}

std::string pt2CustomWithTag(const std::string& custom, std::string_view tag)
{
    std::string value;
    if (!tag.empty())
        appendJsonString(value, tag);
    if (custom.empty() && value.empty())
        return {};
    return pt2CustomWithMember(custom, "tag", value);
}

} // namespace sunder
