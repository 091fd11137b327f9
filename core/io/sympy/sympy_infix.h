#pragma once

#include "io/sympy/sympy_expression.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sunder {

/// Parses an expression as printed by sympy's str(), including PyTorch's functions: "2*s33 + ((s50//3))", "Max(1, s0)", "u0 >= 2".
/// Nothing if it is invalid or nested deeper than 100 levels. The result need not be in sympy's canonical form, because sympy
/// canonicalizes it when it reads the srepr. O(length).
std::optional<SympyExpression> parseInfix(std::string_view text);

/// Returns srepr text: `Add(Symbol('s0', positive=True, integer=True), Integer(1))`. `isPositive` returns whether torch assumes a
/// symbol to be positive. Float symbols ("zf0", "zuf0") are real, all others are integers.
std::string printSrepr(const SympyExpression& expression, const std::function<bool(std::string_view)>& isPositive);

} // namespace sunder
