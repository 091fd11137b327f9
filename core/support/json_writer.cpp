#include "support/json_writer.h"

#include "support/json_text.h"
#include "support/text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

namespace sunder {
namespace {

/// Lays out the shortest digits of a positive number: without an exponent from 0.0001 to below 10¹⁵, and always with a fraction or
/// an exponent.
std::string laidOut(double value)
{
    constexpr int kLeast = -4;
    constexpr int kMost = 15;
    std::array<char, 40> buffer{};
    const char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
    const std::string_view scientific(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
    const std::size_t e = scientific.find('e');
    std::string digits(1, scientific.front());
    if (e > 2)
        digits += scientific.substr(2, e - 2);
    int point = 0; // number of digits before it
    const std::string_view exponent = scientific.substr(scientific[e + 1] == '+' ? e + 2 : e + 1);
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), point);
    ++point;
    if (point <= kLeast || point > kMost)
        return std::string(scientific);
    if (point <= 0)
        return "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
    const auto whole = static_cast<std::size_t>(point);
    if (digits.size() <= whole)
        return digits + std::string(whole - digits.size(), '0') + ".0";
    return digits.insert(whole, 1, '.');
}

} // namespace

void JsonWriter::key(std::string_view name)
{
    next();
    text(name);
    m_out += isLined() ? ": " : ":";
}

void JsonWriter::rawMember(std::string_view name, std::string_view json)
{
    if (json.empty())
        return;
    key(name);
    raw(json);
}

void JsonWriter::rawMembers(std::string_view object)
{
    if (object.size() <= 2)
        return;
    next();
    raw(object.substr(1, object.size() - 2));
}

void JsonWriter::open(char bracket)
{
    m_out += bracket;
    m_isFirst.push_back(1);
}

void JsonWriter::close(char bracket)
{
    const bool isLine = isLined() && m_isFirst.back() == 0;
    m_isFirst.pop_back();
    if (isLine)
        startLine();
    m_out += bracket;
}

void JsonWriter::next()
{
    if (std::exchange(m_isFirst.back(), char{0}) == 0)
        m_out += ',';
    if (isLined())
        startLine();
}

void JsonWriter::startLine()
{
    m_out.append(1, '\n').append(m_isFirst.size(), ' ');
}

void JsonWriter::text(std::string_view text)
{
    appendJsonString(m_out, validUtf8(text));
}

void JsonWriter::number(double value)
{
    if (!std::isfinite(value))
        m_out += "null";
    else if (value == 0)
        m_out += std::signbit(value) ? "-0.0" : "0.0";
    else
        m_out.append(std::signbit(value) ? "-" : "").append(laidOut(std::abs(value)));
}

void JsonWriter::figure(double value)
{
    constexpr double kExact = 9007199254740992; // 2⁵³
    if (std::abs(value) < kExact && value == std::trunc(value))
        this->value(static_cast<std::int64_t>(value));
    else
        number(value);
}

void JsonWriter::figureOrNull(std::optional<double> number)
{
    if (number && std::isfinite(*number))
        figure(*number);
    else
        value(nullptr);
}

} // namespace sunder
