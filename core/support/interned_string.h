#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sunder {

/// A string stored once for the life of the process; copying and comparing cost as much as for an int.
/// Default constructed it is the empty string, which is how "absent" is written in the IR.
/// Thread-safe: of() takes a lock of one shard, view() takes none. Order of ids means nothing: sort by view().
class InternedString {
public:
    constexpr InternedString() = default;
    /// The one InternedString for this text. O(length); at most 2^32 - 1 distinct texts.
    static InternedString of(std::string_view text);

    [[nodiscard]] std::string_view view() const;
    [[nodiscard]] std::string str() const { return std::string(view()); }
    [[nodiscard]] constexpr bool empty() const { return m_id == 0; }
    /// Dense enough to index tables by; 0 is the empty string.
    [[nodiscard]] constexpr std::uint32_t id() const { return m_id; }
    /// The text of an id() that there is.
    [[nodiscard]] static constexpr InternedString ofId(std::uint32_t id) { return InternedString(id); }

    /// A number that is kept beside the text, for what is needed often and costly to work out; 0 until one is kept, and
    /// always for the empty string. It must follow from the text alone: any thread may keep it. Used by Namespace.
    [[nodiscard]] std::uint32_t note() const;
    void keepNote(std::uint32_t note) const;
    /// A text that is kept beside this one in the same way: "add_8" beside "add_7". Empty until one is kept.
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
