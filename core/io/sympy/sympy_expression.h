#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// An expression in the form of sympy's srepr(): `Mul(Integer(2), Symbol('s0', positive=True, integer=True))`.
struct SympyExpression {
    enum class Kind : std::uint8_t {
        symbol,   ///< text: its name
        integer,  ///< text: decimal digits, optionally with a minus
        rational, ///< text: numerator; denominator: denominator
        floating, ///< number: its value
        word,     ///< text: a constant without arguments ("true", "oo")
        call,     ///< text: class or function; arguments
    };
    Kind kind = Kind::word;
    std::string text;
    std::string denominator;
    double number = 0;
    std::vector<SympyExpression> arguments;

    [[nodiscard]] bool is(Kind wanted) const { return kind == wanted; }
    [[nodiscard]] bool isCall(std::string_view name) const { return kind == Kind::call && text == name; }
    [[nodiscard]] bool isNumber() const;
    /// True for a number below zero.
    [[nodiscard]] bool isNegative() const;
};

inline SympyExpression sympyCall(std::string name, std::vector<SympyExpression> arguments)
{
    return {.kind = SympyExpression::Kind::call, .text = std::move(name), .arguments = std::move(arguments)};
}

/// Parses srepr text. Nothing if it is invalid or nested deeper than 100 levels. O(length).
std::optional<SympyExpression> parseSrepr(std::string_view text);

} // namespace sunder
