#pragma once

#include "support/interned_string.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sunder {

/// Names of one program, to be found from names of another: under the name itself, under the name without the path of
/// a part ("part0.lin.weight" for "lin.weight"), or under such a name with "_" for "." when only one fits.
class NameIndex {
public:
    void add(InternedString name, std::uint32_t value);
    /// The value that `name` stands for; nothing when there is none, or several, or it stands behind more than 64 parts.
    /// O(length × parts).
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;

private:
    static constexpr std::uint32_t kSeveral = 0xffffffffU;
    static std::string flat(std::string_view name);

    std::unordered_map<std::string_view, std::uint32_t> m_names;
    std::unordered_map<std::string, std::uint32_t> m_flatNames;
};

} // namespace sunder
