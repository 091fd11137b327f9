#pragma once

#include "io/sympy/sympy_expression.h"

#include <string>

namespace sunder {

/// The text that sympy's str() gives for the expression: "2*s33 + ((s50//3))". The functions that torch adds to sympy
/// print as torch prints them. Sums keep the order of their terms, which is the printed order in srepr text already;
/// factors and the arguments of Max and Min are sorted as sympy sorts them. O(size × log size).
std::string printSympy(const SympyExpression& expression);

} // namespace sunder
