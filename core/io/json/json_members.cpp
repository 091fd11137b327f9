#include "io/json/json_members.h"

#include "support/json_text.h"

#include <algorithm>
#include <cassert>

namespace sunder {

JsonMembers::JsonMembers(JsonValue object, std::span<const std::string_view> names) : m_names(names)
{
    assert(names.size() <= kMaxNames);
    for (JsonValue key = object.firstItem(); key; key = key.nextMember()) {
        const std::size_t at = find(key.text());
        if (at == names.size()) {
            key.memberValue().appendRaw(startJsonMember(m_extra, key.text()));
            continue;
        }
        if (m_values[at])
            m_duplicate = names[at];
        m_values[at] = key.memberValue();
    }
    closeJsonObject(m_extra);
}

std::size_t JsonMembers::find(std::string_view name) const
{
    return static_cast<std::size_t>(std::find(m_names.begin(), m_names.end(), name) - m_names.begin());
}

} // namespace sunder
