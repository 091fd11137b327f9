#pragma once

#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sunder {

/// Bytes from what people write: "16 GB", "512MiB", "1.5e9", "80 g", "1,073,741,824 B". Without a unit, bytes. kB, MB,
/// GB, TB, PB, EB are powers of 1000, as formatBytes() has them, KiB, MiB … powers of 1024; case does not matter, and
/// the B may be left out. Digits may be grouped by threes with commas, underscores or spaces, those of spreadsheets
/// included. Fractions of a byte are rounded. Refuses, with a sentence that quotes the text: what is no number,
/// negative ones, unknown units, bits, a comma for a decimal point, more than 2^64 - 1 bytes.
Result<std::uint64_t> parseBytes(std::string_view text);

/// True for a figure above 0 that says no unit, "80" or "1.5e9", which parseBytes() takes for bytes: to be asked about where a
/// person gives it.
bool lacksUnit(std::string_view text);

/// The same as parseBytes() for "900 GB/s", "32 GiB per second"; the "/s" may be left out. "Gb/s" and "Gbps" count
/// bits and are refused.
Result<std::uint64_t> parseBytesPerSecond(std::string_view text);

/// Bytes for an editor: the shortest of "16 GB", "512 MiB", "1.5 GB", "123,456,789 B" that says exactly this many, at
/// most three decimals; parseBytes() reads it back as the same number. For labels, formatBytes() is shorter.
std::string formatBytesExactly(std::uint64_t bytes);

/// Bytes as people write them, beside others: formatBytes(), or the exact figure where both would read the same and are not.
std::string formatBytesBeside(std::uint64_t bytes, std::uint64_t other);

/// As formatBytes(), rounded up: what it says is enough. "give devices of at least 70.6 kB" for 70,512.
std::string formatBytesAtLeast(std::uint64_t bytes);

} // namespace sunder
