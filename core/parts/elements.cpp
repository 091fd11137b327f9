#include "parts/elements.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

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

template <typename T>
T loaded(std::span<const char> bytes, std::size_t index = 0)
{
    T value{};
    std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
    return value;
}

template <typename T>
void readNumbers(std::span<const char> bytes, std::span<double> numbers)
{
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<double>(loaded<T>(bytes, i));
}

void readBools(std::span<const char> bytes, std::span<double> numbers)
{
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = bytes[i] == 0 ? 0.0 : 1.0;
}

/// Converts IEEE 754 half precision.
float halfOf(std::uint16_t bits)
{
    const std::uint32_t exponent = bits >> 10U & 31U;
    const std::uint32_t fraction = bits & 1023U;
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
    if (exponent == 31)
        return fraction != 0 ? std::numeric_limits<float>::quiet_NaN() : std::bit_cast<float>(sign | 0x7f800000U);
    if (exponent == 0)
        return std::copysign(static_cast<float>(fraction) * 0x1p-24F, std::bit_cast<float>(sign));
    return std::bit_cast<float>(sign | (exponent + 112U) << 23U | fraction << 13U);
}

void readHalves(std::span<const char> bytes, std::span<double> numbers)
{
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<double>(halfOf(loaded<std::uint16_t>(bytes, i)));
}

void readBfloats(std::span<const char> bytes, std::span<double> numbers)
{
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<double>(
            std::bit_cast<float>(static_cast<std::uint32_t>(loaded<std::uint16_t>(bytes, i)) << 16U));
}

/// The 8-bit floating-point formats, as defined by torch/headeronly/util/Float8_*.h.
enum class Float8 : std::uint8_t { e4m3fn, e5m2, e4m3fnuz, e5m2fnuz, e8m0fnu };

double float8Of(Float8 format, unsigned bits)
{
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    if (format == Float8::e8m0fnu)
        return bits == 255 ? kNan : std::ldexp(1.0, static_cast<int>(bits) - 127);
    const bool isWide = format == Float8::e4m3fn || format == Float8::e4m3fnuz; // three fraction bits instead of two
    const bool isUnsignedZero = format == Float8::e4m3fnuz || format == Float8::e5m2fnuz;
    const unsigned fractionBits = isWide ? 3 : 2;
    const unsigned exponent = (bits & 127U) >> fractionBits;
    const unsigned fraction = bits & ((1U << fractionBits) - 1U);
    const double sign = (bits & 128U) != 0 ? -1.0 : 1.0;
    if (isUnsignedZero && bits == 128)
        return kNan;
    if (format == Float8::e4m3fn && (bits & 127U) == 127)
        return kNan;
    if (format == Float8::e5m2 && exponent == 31)
        return fraction != 0 ? kNan : sign * std::numeric_limits<double>::infinity();
    const int bias = (isWide ? 7 : 15) + (isUnsignedZero ? 1 : 0);
    const unsigned leading = exponent == 0 ? 0U : 1U << fractionBits;
    const int power = (exponent == 0 ? 1 : static_cast<int>(exponent)) - bias - static_cast<int>(fractionBits);
    return sign * std::ldexp(static_cast<double>(leading + fraction), power);
}

template <Float8 Format>
void readFloat8(std::span<const char> bytes, std::span<double> numbers)
{
    static const std::array<double, 256> table = [] {
        std::array<double, 256> all{};
        for (unsigned bits = 0; bits < all.size(); ++bits)
            all[bits] = float8Of(Format, bits);
        return all;
    }();
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = table[static_cast<unsigned char>(bytes[i])];
}

constexpr std::array<std::pair<std::string_view, NumberReader>, 18> kReaders = {{
    {"float32", readNumbers<float>},
    {"float16", readHalves},
    {"bfloat16", readBfloats},
    {"float64", readNumbers<double>},
    {"float8_e4m3fn", readFloat8<Float8::e4m3fn>},
    {"float8_e5m2", readFloat8<Float8::e5m2>},
    {"float8_e4m3fnuz", readFloat8<Float8::e4m3fnuz>},
    {"float8_e5m2fnuz", readFloat8<Float8::e5m2fnuz>},
    {"float8_e8m0fnu", readFloat8<Float8::e8m0fnu>},
    {"int8", readNumbers<std::int8_t>},
    {"int16", readNumbers<std::int16_t>},
    {"int32", readNumbers<std::int32_t>},
    {"int64", readNumbers<std::int64_t>},
    {"uint8", readNumbers<std::uint8_t>},
    {"uint16", readNumbers<std::uint16_t>},
    {"uint32", readNumbers<std::uint32_t>},
    {"uint64", readNumbers<std::uint64_t>},
    {"bool", readBools},
}};

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

NumberReader numberReaderOf(std::string_view dtype)
{
    for (const auto& [name, reader] : kReaders)
        if (name == dtype)
            return reader;
    return nullptr;
}

bool isLessInteger(std::string_view dtype, std::span<const char> a, std::span<const char> b)
{
    return dtype == "uint64" ? loaded<std::uint64_t>(a) < loaded<std::uint64_t>(b)
                             : loaded<std::int64_t>(a) < loaded<std::int64_t>(b);
}

} // namespace sunder
