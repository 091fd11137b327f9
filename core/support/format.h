#pragma once

#include <cstdint>
#include <string>

namespace sunder {

/// Formats bytes: "512 B", "4.1 kB", "13.2 GB" (powers of 1000, one decimal from kB on).
std::string formatBytes(std::uint64_t bytes);

/// Formats a time with three digits: "1.25 ms", "350 µs", "12.5 s", "0 s".
std::string formatSeconds(double seconds);

/// Formats a count with commas as group separators: 12345 → "12,345".
std::string formatCount(std::uint64_t count);

/// Formats `count` and the noun in singular or plural: (1, "node") → "1 node", (3, "node") → "3 nodes".
std::string formatCount(std::uint64_t count, const char* noun);

} // namespace sunder
