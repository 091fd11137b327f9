#pragma once

#include "support/json_tape.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace sunder {

/// The members of a JSON object by a list of known names: `members[2]` is the value of the third name, or absent. Other members
/// are collected as raw JSON, to be written back.
class JsonMembers {
public:
    static constexpr std::size_t kMaxNames = 32;

    /// `names` has at most kMaxNames entries and must outlive this object.
    JsonMembers(JsonValue object, std::span<const std::string_view> names);

    [[nodiscard]] JsonValue operator[](std::size_t name) const { return m_values[name]; }
    [[nodiscard]] std::string_view name(std::size_t index) const { return m_names[index]; }
    /// A known name that occurs twice; empty if there is none.
    [[nodiscard]] std::string_view duplicate() const { return m_duplicate; }
    /// Members with unknown names as a raw JSON object; empty if there are none.
    [[nodiscard]] const std::string& extra() const { return m_extra; }

private:
    [[nodiscard]] std::size_t find(std::string_view name) const;

    std::span<const std::string_view> m_names;
    std::array<JsonValue, kMaxNames> m_values;
    std::string_view m_duplicate;
    std::string m_extra;
};

} // namespace sunder
