#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace sunder {

/// A 32-bit index for tables of one kind only. The default is invalid ("none").
template <typename Tag>
class Id {
public:
    static constexpr std::uint32_t kInvalid = 0xffffffffU;

    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t index) : m_index(index) {}
    constexpr explicit Id(std::size_t index) : m_index(static_cast<std::uint32_t>(index)) {}

    [[nodiscard]] constexpr bool isValid() const { return m_index != kInvalid; }
    constexpr explicit operator bool() const { return isValid(); }
    /// Index into the table of this kind. Requires a valid id.
    [[nodiscard]] constexpr std::uint32_t index() const { return m_index; }

    friend constexpr auto operator<=>(Id, Id) = default;

private:
    std::uint32_t m_index = kInvalid;
};

} // namespace sunder

template <typename Tag>
struct std::hash<sunder::Id<Tag>> {
    std::size_t operator()(sunder::Id<Tag> id) const noexcept { return id.index() * 0x9E3779B97F4A7C15ULL; }
};
