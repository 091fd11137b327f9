#pragma once

#include "io/sympy/sympy_expression.h"

#include <vector>

namespace sunder {

/// Base and exponent of a power. Any other expression is a base without exponent.
struct SympyPower {
    const SympyExpression* base = nullptr;
    const SympyExpression* exponent = nullptr;
};

SympyPower asPower(const SympyExpression& expression);

/// Compares by sympy's default order: negative, 0, or positive if `a` comes before, equals, or comes after `b`. The order is
/// numbers, symbols, products, sums, functions by name, others; then arguments, exponent, coefficient.
int compareSympy(const SympyExpression& a, const SympyExpression& b);

/// Returns the arguments in that order.
std::vector<const SympyExpression*> sortedArguments(const SympyExpression& call);

} // namespace sunder
