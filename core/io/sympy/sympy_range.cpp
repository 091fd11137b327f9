#include "io/sympy/sympy_range.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace sunder {
namespace {

using Kind = SympyExpression::Kind;
using Bound = long double; ///< represents every 64-bit integer

constexpr Bound kInfinity = std::numeric_limits<Bound>::infinity();

struct Interval {
    Bound low = -kInfinity;
    Bound high = kInfinity;
};

/// Returns the smallest interval that contains the values; NaN means any value.
Interval around(std::initializer_list<Bound> values)
{
    Interval hull{kInfinity, -kInfinity};
    for (const Bound value : values) {
        if (std::isnan(value))
            return {};
        hull.low = std::min(hull.low, value);
        hull.high = std::max(hull.high, value);
    }
    return hull;
}

Bound product(Bound a, Bound b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

Interval times(const Interval& a, const Interval& b)
{
    return around({product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)});
}

/// Divides by a positive divisor.
Interval divided(const Interval& a, const Interval& b)
{
    if (b.low <= 0)
        return {};
    const auto quotient = [](Bound x, Bound y) { return std::isinf(y) ? Bound{0} : x / y; };
    Interval result = around(
        {quotient(a.low, b.low), quotient(a.low, b.high), quotient(a.high, b.low), quotient(a.high, b.high)});
    if (std::isinf(b.high) && a.low < 0)
        result.high = std::max(result.high, Bound{0});
    return result;
}

Interval rounded(const Interval& a, Bound (*round)(Bound))
{
    return {round(a.low), round(a.high)};
}

Interval power(const Interval& base, const Interval& exponent)
{
    if (exponent.low != exponent.high || exponent.low < 0 || exponent.low != std::floor(exponent.low))
        return base.low >= 1 && exponent.low >= 0 ? Interval{1, std::pow(base.high, exponent.high)} : Interval{};
    if (exponent.low == 0)
        return {1, 1};
    const Bound low = std::pow(base.low, exponent.low);
    const Bound high = std::pow(base.high, exponent.low);
    const bool isEven = std::fmod(exponent.low, 2) == 0;
    if (isEven && base.low < 0 && base.high > 0)
        return {0, std::max(low, high)};
    return around({low, high});
}

Interval rest(const Interval& a, const Interval& b)
{
    if (b.low <= 0)
        return {};
    if (a.low >= 0 && a.high < b.low)
        return a;
    return {0, a.low >= 0 ? std::min(a.high, b.high - 1) : b.high - 1};
}

class Evaluator {
public:
    explicit Evaluator(const std::function<SympyRange(std::string_view)>& ofSymbol) : m_ofSymbol(ofSymbol) {}

    [[nodiscard]] Interval of(const SympyExpression& expression) const
    {
        switch (expression.kind) {
        case Kind::symbol: {
            const SympyRange range = m_ofSymbol(expression.text);
            return {range.min ? static_cast<Bound>(*range.min) : -kInfinity,
                    range.max ? static_cast<Bound>(*range.max) : kInfinity};
        }
        case Kind::integer: {
            const Bound value = std::strtold(expression.text.c_str(), nullptr);
            return {value, value};
        }
        case Kind::rational: {
            const Bound value = std::strtold(expression.text.c_str(), nullptr)
                / std::strtold(expression.denominator.c_str(), nullptr);
            return std::isnan(value) ? Interval{} : Interval{value, value};
        }
        case Kind::floating: return {expression.number, expression.number};
        case Kind::word: return {};
        case Kind::call: return ofCall(expression);
        }
        return {};
    }

private:
    [[nodiscard]] Interval ofCall(const SympyExpression& call) const
    {
        std::vector<Interval> arguments;
        for (const SympyExpression& argument : call.arguments)
            arguments.push_back(of(argument));
        if (arguments.empty())
            return {};
        const std::string& name = call.text;
        if (name == "Add" || name == "Mul" || name == "Max" || name == "Min")
            return folded(name, arguments);
        if (arguments.size() == 1)
            return ofOne(name, arguments[0]);
        if (arguments.size() == 2)
            return ofTwo(name, arguments[0], arguments[1]);
        if (name == "Where" && arguments.size() == 3)
            return around({arguments[1].low, arguments[1].high, arguments[2].low, arguments[2].high});
        if (name == "ModularIndexing" && arguments.size() == 3)
            return rest(rounded(divided(arguments[0], arguments[1]), std::floor), arguments[2]);
        return {};
    }

    [[nodiscard]] static Interval folded(const std::string& name, const std::vector<Interval>& arguments)
    {
        Interval result = arguments[0];
        for (std::size_t i = 1; i < arguments.size(); ++i) {
            const Interval& next = arguments[i];
            if (name == "Add")
                result = {result.low + next.low, result.high + next.high};
            else if (name == "Mul")
                result = times(result, next);
            else if (name == "Max")
                result = {std::max(result.low, next.low), std::max(result.high, next.high)};
            else
                result = {std::min(result.low, next.low), std::min(result.high, next.high)};
        }
        return result;
    }

    [[nodiscard]] static Interval ofOne(const std::string& name, const Interval& value)
    {
        if (name == "Identity" || name == "ToFloat")
            return value;
        if (name == "FloorToInt")
            return rounded(value, std::floor);
        if (name == "CeilToInt")
            return rounded(value, std::ceil);
        if (name == "TruncToInt" || name == "TruncToFloat")
            return rounded(value, std::trunc);
        if (name == "RoundToInt")
            return {std::floor(value.low), std::ceil(value.high)};
        if (name == "Abs")
            return value.low >= 0 ? value : Interval{value.high <= 0 ? -value.high : 0, std::max(-value.low, value.high)};
        if (name == "OpaqueUnaryFn_sqrt" && value.low >= 0)
            return rounded(value, std::sqrt);
        return {};
    }

    [[nodiscard]] static Interval ofTwo(const std::string& name, const Interval& a, const Interval& b)
    {
        if (name == "FloorDiv" || name == "CleanDiv")
            return rounded(divided(a, b), std::floor);
        if (name == "CeilDiv")
            return rounded(divided(a, b), std::ceil);
        if (name == "IntTrueDiv" || name == "FloatTrueDiv")
            return divided(a, b);
        if (name == "Mod" || name == "PythonMod")
            return rest(a, b);
        if (name == "Pow" || name == "PowByNatural" || name == "FloatPow")
            return power(a, b);
        return {};
    }

    const std::function<SympyRange(std::string_view)>& m_ofSymbol;
};

std::optional<std::int64_t> whole(Bound value)
{
    constexpr Bound kBeyond = 9223372036854775808.0L; // 2^63
    const bool fits = value >= -kBeyond && value < kBeyond;
    return fits ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

} // namespace

SympyRange rangeOf(const SympyExpression& expression, const std::function<SympyRange(std::string_view)>& ofSymbol)
{
    const Interval interval = Evaluator(ofSymbol).of(expression);
    if (std::isnan(interval.low) || std::isnan(interval.high))
        return {};
    return {.min = whole(std::ceil(interval.low)), .max = whole(std::floor(interval.high))};
}

SympyRange rangeOfOperand(const SympyRange& range, std::int64_t constant, std::int64_t factor)
{
    const SympyExpression symbol{.kind = SympyExpression::Kind::symbol, .text = "x"};
    const auto number = [](std::int64_t value) {
        return SympyExpression{.kind = SympyExpression::Kind::integer, .text = std::to_string(value)};
    };
    const std::int64_t sign = factor < 0 ? -1 : 1;
    const SympyExpression product{.kind = SympyExpression::Kind::call, .text = "Mul", .arguments = {number(sign), symbol}};
    const SympyExpression difference{
        .kind = SympyExpression::Kind::call, .text = "Add", .arguments = {product, number(-sign * constant)}};
    const SympyExpression quotient{
        .kind = SympyExpression::Kind::call, .text = "IntTrueDiv", .arguments = {difference, number(sign * factor)}};
    return rangeOf(quotient, [&range](std::string_view) { return range; });
}

SympyRange intersected(SympyRange a, const SympyRange& b)
{
    if (b.min && (!a.min || *a.min < *b.min))
        a.min = b.min;
    if (b.max && (!a.max || *a.max > *b.max))
        a.max = b.max;
    return a;
}

} // namespace sunder
