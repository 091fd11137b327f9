#pragma once

#include "io/json/json_members.h"
#include "io/json/read_fault.h"
#include "support/interned_string.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// Returns `text` in double quotes, truncated if it is long, to quote file contents in messages.
std::string quoted(std::string_view text);

/// Typed access to the members of one JSON object. Members of the wrong type, duplicates, and missing required members are
/// reported as "WHAT has …". A null member counts as absent.
class FxJsonFields {
public:
    FxJsonFields(std::string_view what, JsonValue object, std::span<const std::string_view> names, ReadFault& fault);

    [[nodiscard]] bool has(std::size_t name) const;
    [[nodiscard]] JsonValue value(std::size_t name) const { return m_members[name]; }
    [[nodiscard]] InternedString text(std::size_t name) const;
    [[nodiscard]] InternedString requiredText(std::size_t name) const;
    [[nodiscard]] std::optional<bool> boolean(std::size_t name) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::size_t name) const;
    /// A count or size: a non-negative integer.
    [[nodiscard]] std::optional<std::uint64_t> size(std::size_t name) const;
    /// The id of a line, a number or a text, as one text that distinguishes both. Empty if absent.
    [[nodiscard]] InternedString id(std::size_t name) const;
    /// Absent, or a value of the given type.
    [[nodiscard]] JsonValue array(std::size_t name) const;
    [[nodiscard]] JsonValue object(std::size_t name) const;
    [[nodiscard]] JsonValue requiredArray(std::size_t name) const;
    [[nodiscard]] std::vector<InternedString> texts(std::size_t name) const;
    [[nodiscard]] InternedString extra() const { return intern(m_members.extra()); }
    [[nodiscard]] const std::string& extraText() const { return m_members.extra(); }

private:
    [[nodiscard]] JsonValue typed(std::size_t name, JsonType type, const char* wanted) const;
    void require(std::size_t name) const;

    std::string_view m_what;
    JsonMembers m_members;
    ReadFault& m_fault;
};

} // namespace sunder
