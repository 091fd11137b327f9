#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sunder {

// Functions for signal handlers: they take no lock and allocate no memory.

/// Writes the whole text to a file descriptor; stops at an error.
void writeSafely(int descriptor, std::string_view text);

/// A number in decimal digits.
class Digits {
public:
    /// `width`: minimum number of digits, padded with leading zeros.
    explicit Digits(std::uint64_t number, int width = 1);
    [[nodiscard]] std::string_view text() const { return {m_text.data() + m_begin, m_text.size() - m_begin}; }

private:
    std::array<char, 24> m_text{};
    std::size_t m_begin;
};

/// Writes seconds since 1970 as "2026-11-23 07:30:12 UTC".
void writeTime(int descriptor, std::int64_t seconds);

} // namespace sunder
