#include "io/fx_json/fx_json_fields.h"

namespace sunder {

std::string quoted(std::string_view text)
{
    constexpr std::size_t kMax = 120;
    std::string out = "\"";
    out += text.substr(0, kMax);
    out += text.size() > kMax ? "…\"" : "\"";
    return out;
}

FxJsonFields::FxJsonFields(std::string_view what, JsonValue object, std::span<const std::string_view> names, ReadFault& fault)
    : m_what(what), m_members(object, names), m_fault(fault)
{
    if (!m_members.duplicate().empty())
        fault.report(std::string(what) + " has the key " + quoted(m_members.duplicate()) + " twice");
}

bool FxJsonFields::has(std::size_t name) const
{
    return m_members[name] && !m_members[name].is(JsonType::null);
}

JsonValue FxJsonFields::typed(std::size_t name, JsonType type, const char* wanted) const
{
    if (!has(name))
        return {};
    if (m_members[name].is(type))
        return m_members[name];
    m_fault.report(std::string(m_what) + " has a " + quoted(m_members.name(name)) + " that is not " + wanted);
    return {};
}

void FxJsonFields::require(std::size_t name) const
{
    if (!has(name))
        m_fault.report(std::string(m_what) + " lacks " + quoted(m_members.name(name)));
}

InternedString FxJsonFields::text(std::size_t name) const
{
    const JsonValue value = typed(name, JsonType::string, "a string");
    return value ? intern(value.text()) : InternedString();
}

InternedString FxJsonFields::requiredText(std::size_t name) const
{
    require(name);
    return text(name);
}

std::optional<bool> FxJsonFields::boolean(std::size_t name) const
{
    const JsonValue value = typed(name, JsonType::boolean, "true or false");
    return value ? std::optional(value.asBoolean()) : std::nullopt;
}

std::optional<std::int64_t> FxJsonFields::integer(std::size_t name) const
{
    if (has(name) && m_members[name].is(JsonType::floating) && m_members[name].isIntegerBeyondInt64()) {
        m_fault.report(std::string(m_what) + " has a " + quoted(m_members.name(name))
                       + " out of range: " + std::string(m_members[name].text()));
        return std::nullopt;
    }
    const JsonValue value = typed(name, JsonType::integer, "an integer");
    return value ? std::optional(value.asInteger()) : std::nullopt;
}

std::optional<std::uint64_t> FxJsonFields::size(std::size_t name) const
{
    const std::optional<std::int64_t> value = integer(name);
    if (!value)
        return std::nullopt;
    if (*value < 0)
        m_fault.report(std::string(m_what) + " has a negative " + quoted(m_members.name(name)) + ": " + std::to_string(*value));
    return static_cast<std::uint64_t>(*value);
}

InternedString FxJsonFields::id(std::size_t name) const
{
    if (!has(name))
        return {};
    const JsonValue value = m_members[name];
    if (!value.is(JsonType::integer) && !value.is(JsonType::string))
        m_fault.report(std::string(m_what) + " has a " + quoted(m_members.name(name)) + " that is not an id");
    return intern(value.raw());
}

JsonValue FxJsonFields::array(std::size_t name) const
{
    return typed(name, JsonType::array, "an array");
}

JsonValue FxJsonFields::object(std::size_t name) const
{
    return typed(name, JsonType::object, "an object");
}

JsonValue FxJsonFields::requiredArray(std::size_t name) const
{
    require(name);
    return array(name);
}

std::vector<InternedString> FxJsonFields::texts(std::size_t name) const
{
    std::vector<InternedString> texts;
    const JsonValue values = array(name);
    if (!values)
        return texts;
    for (JsonValue item = values.firstItem(); item; item = item.nextItem()) {
        if (!item.is(JsonType::string))
            m_fault.report(std::string(m_what) + " has a " + quoted(m_members.name(name)) + " that is not an array of strings");
        else
            texts.push_back(intern(item.text()));
    }
    return texts;
}

} // namespace sunder
