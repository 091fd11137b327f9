#pragma once

#include "io/sympy/sympy_expression.h"

#include <vector>

namespace sunder {

/// Base and exponent of a power; any other expression is its own base, with no exponent.
struct SympyPower {
    const SympyExpression* base = nullptr;
    const SympyExpression* exponent = nullptr;
};

SympyPower asPower(const SympyExpression& expression);

/// Below, equal to or above zero as `a` comes before, with or behind `b` in sympy's default order: numbers, symbols,
/// products, sums, functions by name, others; then arguments, exponent, coefficient.
int compareSympy(const SympyExpression& a, const SympyExpression& b);

/// The arguments in that order.
std::vector<const SympyExpression*> sortedArguments(const SympyExpression& call);

} // namespace sunder
