#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sunder {

/// A string stored once for the lifetime of the process. Copies and comparisons are as cheap as for an int. The default is the
/// empty string, which means "absent" in the IR. Thread-safe: of() locks one shard, view() locks nothing. The order of ids is
/// arbitrary; sort by view().
class InternedString {
public:
    constexpr InternedString() = default;
    /// Returns the unique InternedString of a text. O(length); at most 2^32 - 1 distinct texts.
    static InternedString of(std::string_view text);

    [[nodiscard]] std::string_view view() const;
    [[nodiscard]] std::string str() const { return std::string(view()); }
    [[nodiscard]] constexpr bool empty() const { return m_id == 0; }
    /// Dense index for tables; 0 is the empty string.
    [[nodiscard]] constexpr std::uint32_t id() const { return m_id; }
    /// Returns the text with an existing id().
    [[nodiscard]] static constexpr InternedString ofId(std::uint32_t id) { return InternedString(id); }

    /// A number stored with the text, to cache frequently needed results that are expensive to compute. 0 until one is stored,
    /// and always for the empty string. It must be a function of the text, since any thread may store it. Used by Namespace.
    [[nodiscard]] std::uint32_t note() const;
    void keepNote(std::uint32_t note) const;
    /// A text cached with this one in the same way, e.g. "add_8" for "add_7". Empty until one is stored.
    [[nodiscard]] InternedString next() const;
    void keepNext(InternedString next) const;

    friend constexpr bool operator==(InternedString, InternedString) = default;

private:
    constexpr explicit InternedString(std::uint32_t id) : m_id(id) {}
    std::uint32_t m_id = 0;
};

inline InternedString intern(std::string_view text)
{
    return InternedString::of(text);
}

} // namespace sunder

template <>
struct std::hash<sunder::InternedString> {
    std::size_t operator()(sunder::InternedString s) const noexcept { return s.id() * 0x9E3779B97F4A7C15ULL; }
};
