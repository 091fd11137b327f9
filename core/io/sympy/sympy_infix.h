#pragma once

#include "io/sympy/sympy_expression.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sunder {

/// Parses an expression as sympy's str() prints it, torch's functions included: "2*s33 + ((s50//3))", "Max(1, s0)",
/// "u0 >= 2". Nothing when it is no such text, or nested deeper than 100 levels. The result need not be in sympy's
/// canonical form; sympy makes it so when it reads the srepr. O(length).
std::optional<SympyExpression> parseInfix(std::string_view text);

/// Writes srepr text: `Add(Symbol('s0', positive=True, integer=True), Integer(1))`. `isPositive` says of a symbol
/// whether torch assumes it to be positive. Symbols of floats ("zf0", "zuf0") are real, all others integers.
std::string printSrepr(const SympyExpression& expression, const std::function<bool(std::string_view)>& isPositive);

} // namespace sunder
