#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sunder {

/// An element of a tensor as people read it, with as many digits as tell it from its neighbours: "0.1", "-0.0", "nan",
/// "3", "True", "(1.0, 2.0)"; its bytes ("0x3c") for dtypes that have no such text. Bytes are little endian.
std::string elementText(std::string_view dtype, std::span<const char> bytes);

/// The bytes as one number, most significant digits first: "0x3f800000".
std::string bitsText(std::span<const char> bytes);

} // namespace sunder
