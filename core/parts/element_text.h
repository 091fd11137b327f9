#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sunder {

/// Formats an element of a tensor with enough digits to identify it: "0.1", "-0.0", "nan", "3", "True", "(1.0, 2.0)". For dtypes
/// without such a format, returns its bytes ("0x3c"). Bytes are little-endian.
std::string elementText(std::string_view dtype, std::span<const char> bytes);

/// Formats the bytes as one number, most significant digits first: "0x3f800000".
std::string bitsText(std::span<const char> bytes);

} // namespace sunder
