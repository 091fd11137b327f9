#pragma once

#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sunder {

/// Parses a number of bytes entered by a user: "16 GB", "512MiB", "1.5e9", "80 g", "1,073,741,824 B". Without a unit, bytes. kB,
/// MB, GB, TB, PB, EB are powers of 1000, as in formatBytes(); KiB, MiB … are powers of 1024. Case is ignored, and the B is
/// optional. Digits may be grouped in threes by commas, underscores or spaces, including those of spreadsheets. Fractions of a
/// byte are rounded. Refuses invalid numbers, negative numbers, unknown units, bits, a decimal comma, and more than 2^64 - 1
/// bytes; the message quotes the text.
Result<std::uint64_t> parseBytes(std::string_view text);

/// Returns whether the text is a number above 0 without a unit, such as "80" or "1.5e9". parseBytes() reads it as bytes; ask for
/// confirmation if a user enters it.
bool lacksUnit(std::string_view text);

/// As parseBytes(), for "900 GB/s", "32 GiB per second"; the "/s" is optional. Refuses "Gb/s" and "Gbps", which count bits.
Result<std::uint64_t> parseBytesPerSecond(std::string_view text);

/// Formats bytes for an editable field: the shortest exact form with at most three decimals, e.g. "16 GB", "512 MiB", "1.5 GB",
/// "123,456,789 B". parseBytes() returns the same number. For labels, formatBytes() is shorter.
std::string formatBytesExactly(std::uint64_t bytes);

/// Formats bytes for comparison with `other`: formatBytes(), or the exact figure if both would look equal but differ.
std::string formatBytesBeside(std::uint64_t bytes, std::uint64_t other);

/// As formatBytes(), rounded up to a sufficient amount: 70,512 → "70.6 kB", as in "use devices of at least 70.6 kB".
std::string formatBytesAtLeast(std::uint64_t bytes);

} // namespace sunder
