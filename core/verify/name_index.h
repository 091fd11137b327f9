#pragma once

#include "support/interned_string.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sunder {

/// An index of the names of one program, for look-up by names of another. A name matches itself, itself without the path of a
/// part ("part0.lin.weight" for "lin.weight"), or such a name with "_" for "." if the match is unique.
class NameIndex {
public:
    void add(InternedString name, std::uint32_t value);
    /// Returns the value for `name`; nothing if there is none, if it is ambiguous, or if it is nested in more than 64 parts.
    /// O(length × parts).
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;

private:
    static constexpr std::uint32_t kSeveral = 0xffffffffU;
    static std::string flat(std::string_view name);

    std::unordered_map<std::string_view, std::uint32_t> m_names;
    std::unordered_map<std::string, std::uint32_t> m_flatNames;
};

} // namespace sunder
