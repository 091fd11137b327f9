#pragma once

#include <span>
#include <string_view>

namespace sunder {

/// Reads packed little-endian elements as numbers, as many as `numbers` has room for. Integers of 64 bits beyond 2^53 are rounded, all
/// other numbers are exact. False is 0, any other byte of a bool is 1.
using NumberReader = void (*)(std::span<const char> bytes, std::span<double> numbers);

/// The reader of a dtype: floats of 8 to 64 bits, integers, bool. Null for complex, quantized, packed, and unknown dtypes, an element
/// of which is not one number.
NumberReader numberReaderOf(std::string_view dtype);

/// Whether the integer in `a` is less than that in `b`, exactly. `dtype` is int64 or uint64.
bool isLessInteger(std::string_view dtype, std::span<const char> a, std::span<const char> b);

} // namespace sunder
