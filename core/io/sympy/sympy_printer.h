#pragma once

#include "io/sympy/sympy_expression.h"

#include <string>

namespace sunder {

/// Returns the text of sympy's str() for the expression: "2*s33 + ((s50//3))". PyTorch's additional functions print as in torch.
/// Sums keep the order of their terms, because srepr text already has the printed order. Factors and the arguments of Max and Min
/// are sorted as in sympy. O(size × log size).
std::string printSympy(const SympyExpression& expression);

} // namespace sunder
