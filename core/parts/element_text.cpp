#include "parts/element_text.h"

#include "parts/element_numbers.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace sunder {
namespace {

template <typename T>
T numberIn(std::span<const char> bytes)
{
    T number{};
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
}

template <typename T>
std::string floatText(T number)
{
    std::array<char, 64> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    std::string text(buffer.data(), end);
    const bool isWhole = text.find_first_not_of("-0123456789") == std::string::npos;
    return isWhole ? text + ".0" : text;
}

} // namespace

std::string bitsText(std::span<const char> bytes)
{
    std::string text = "0x";
    for (std::size_t i = bytes.size(); i-- > 0;) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        text += "0123456789abcdef"[byte >> 4U];
        text += "0123456789abcdef"[byte & 15U];
    }
    return text;
}

std::string elementText(std::string_view dtype, std::span<const char> bytes)
{
    const auto half = [&](const char* parts) {
        return '(' + elementText(parts, bytes.first(bytes.size() / 2)) + ", " + elementText(parts, bytes.last(bytes.size() / 2))
            + ')';
    };
    if (dtype == "float32")
        return floatText(numberIn<float>(bytes));
    if (dtype == "float64")
        return floatText(numberIn<double>(bytes));
    if (dtype == "float16" || dtype == "bfloat16" || dtype.starts_with("float8_")) {
        double number = 0;
        if (const NumberReader read = numberReaderOf(dtype)) {
            read(bytes, {&number, 1});
            return floatText(static_cast<float>(number));
        }
    }
    if (dtype == "complex64")
        return half("float32");
    if (dtype == "complex128")
        return half("float64");
    if (dtype == "complex32")
        return half("float16");
    if (dtype == "int8")
        return std::to_string(numberIn<std::int8_t>(bytes));
    if (dtype == "int16")
        return std::to_string(numberIn<std::int16_t>(bytes));
    if (dtype == "int32")
        return std::to_string(numberIn<std::int32_t>(bytes));
    if (dtype == "int64")
        return std::to_string(numberIn<std::int64_t>(bytes));
    if (dtype == "uint8")
        return std::to_string(numberIn<std::uint8_t>(bytes));
    if (dtype == "uint16")
        return std::to_string(numberIn<std::uint16_t>(bytes));
    if (dtype == "uint32")
        return std::to_string(numberIn<std::uint32_t>(bytes));
    if (dtype == "uint64")
        return std::to_string(numberIn<std::uint64_t>(bytes));
    if (dtype == "bool")
        return bytes[0] == 0 ? "False" : bytes[0] == 1 ? "True" : "True as " + bitsText(bytes);
    return bitsText(bytes);
}

} // namespace sunder
