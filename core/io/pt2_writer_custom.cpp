#include "io/pt2_writer_custom.h"

#include "io/json_tape.h"
#include "io/json_text.h"

namespace sunder {
namespace {

constexpr unsigned kDeepest = 64;

} // namespace

std::string pt2CustomWithMember(const std::string& custom, std::string_view name, const std::string& value)
{
    JsonTape tape;
    std::string out = "{";
    const bool isObject = !custom.empty() && tape.parse(custom, kDeepest) && tape.root().is(JsonType::object);
    if (!isObject && !custom.empty() && value.empty())
        return custom;
    if (isObject) {
        for (JsonValue key = tape.root().firstItem(); key; key = key.nextMember()) {
            if (key.text() == name)
                continue;
            out += out.size() == 1 ? "" : ",";
            appendJsonString(out, key.text());
            out += ':';
            key.memberValue().appendRaw(out);
        }
    }
    if (!value.empty()) {
        out += out.size() == 1 ? "" : ",";
        appendJsonString(out, name);
        out += ':' + value;
    }
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
