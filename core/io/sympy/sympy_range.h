#pragma once

#include "io/sympy/sympy_expression.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace sunder {

/// Least and greatest value, both included; an absent one is unbounded.
struct SympyRange {
    std::optional<std::int64_t> min = {};
    std::optional<std::int64_t> max = {};
};

/// The values that an expression can have, from those of its symbols, by interval arithmetic: every value lies within,
/// not every number within is a value. Functions that are not known, and what leaves 63 bits, are unbounded. O(size).
SympyRange rangeOf(const SympyExpression& expression, const std::function<SympyRange(std::string_view)>& ofSymbol);

/// The values that x can have, given those of constant + factor × x.
SympyRange rangeOfOperand(const SympyRange& range, std::int64_t constant, std::int64_t factor);
/// The values in both.
SympyRange intersected(SympyRange a, const SympyRange& b);

} // namespace sunder
