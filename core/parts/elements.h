#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sunder {

/// Converts packed little-endian elements to numbers and fills `numbers`. 64-bit integers beyond 2^53 are rounded; all other
/// numbers are exact. For bool, 0 is False and every other byte is True, converted to 1.
using NumberReader = void (*)(std::span<const char> bytes, std::span<double> numbers);

/// Returns the reader for a dtype: floats of 8 to 64 bits, integers, and bool. Null for dtypes whose elements are not single
/// numbers (complex, quantized, packed) and for unknown dtypes.
NumberReader numberReaderOf(std::string_view dtype);

/// Whether the integer in `a` is less than that in `b`, exactly. `dtype` is int64 or uint64.
bool isLessInteger(std::string_view dtype, std::span<const char> a, std::span<const char> b);

/// Formats an element of a tensor with enough digits to identify it: "0.1", "-0.0", "nan", "3", "True", "(1.0, 2.0)". For dtypes
/// without such a format, returns its bytes ("0x3c"). Bytes are little-endian.
std::string elementText(std::string_view dtype, std::span<const char> bytes);

/// Formats the bytes as one number, most significant digits first: "0x3f800000".
std::string bitsText(std::span<const char> bytes);

} // namespace sunder
