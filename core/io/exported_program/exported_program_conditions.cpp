#include "io/exported_program/exported_program_conditions.h"

#include "support/json_text.h"

#include <algorithm>
#include <array>

namespace sunder {

bool isWithoutEffect(std::string_view name, JsonValue value)
{
    static constexpr std::array<std::string_view, 6> kNames{"opset_version", "schema_version", "torch_version",
                                                            "verifiers",     "dialect",        "metadata"};
    const bool isEmpty = (value.is(JsonType::array) || value.is(JsonType::object)) && !value.firstItem();
    return value.is(JsonType::null) || isEmpty || std::ranges::find(kNames, name) != kNames.end();
}

InternedString conditionOf(std::string_view name, JsonValue value)
{
    std::string text;
    appendJsonString(text, name);
    text += ':';
    value.appendRaw(text);
    return intern(text);
}

void addConditions(JsonValue program, std::vector<InternedString>& conditions)
{
    for (JsonValue key = program.firstItem(); key; key = key.nextMember())
        if (!isWithoutEffect(key.text(), key.memberValue()))
            conditions.push_back(conditionOf(key.text(), key.memberValue()));
}

} // namespace sunder
