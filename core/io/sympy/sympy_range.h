#pragma once

#include "io/sympy/sympy_expression.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace sunder {

/// Minimum and maximum, inclusive; an absent bound is unlimited.
struct SympyRange {
    std::optional<std::int64_t> min = {};
    std::optional<std::int64_t> max = {};
};

/// Returns a range that contains all values of an expression for the given ranges of its symbols, by interval arithmetic. The
/// range may be too wide. Unknown functions and values beyond 63 bits are unbounded. O(size).
SympyRange rangeOf(const SympyExpression& expression, const std::function<SympyRange(std::string_view)>& ofSymbol);

/// Returns the range of x, given that of constant + factor × x.
SympyRange rangeOfOperand(const SympyRange& range, std::int64_t constant, std::int64_t factor);
/// Returns the intersection.
SympyRange intersected(SympyRange a, const SympyRange& b);

} // namespace sunder
