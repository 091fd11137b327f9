#pragma once

#include <cstdint>
#include <string_view>

namespace sunder {

/// Combines a hash with a number. The high bits of the result are the best mixed. The same in every process and on every machine.
constexpr std::uint64_t mixHash(std::uint64_t seed, std::uint64_t value)
{
    return (seed ^ (value + 0x9E3779B97F4A7C15ULL + (seed << 6U) + (seed >> 2U))) * 0xFF51AFD7ED558CCDULL;
}

/// Hashes a text; the result is the same in every process and on every machine.
constexpr std::uint64_t hashOfText(std::string_view text)
{
    std::uint64_t hash = 0xCBF29CE484222325ULL; // FNV-1a
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return mixHash(hash, text.size());
}

} // namespace sunder
