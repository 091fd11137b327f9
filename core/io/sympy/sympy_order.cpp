#include "io/sympy/sympy_order.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

namespace sunder {
namespace {

using Kind = SympyExpression::Kind;

double numberOf(std::string_view digits)
{
    double value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

double valueOf(const SympyExpression& number)
{
    if (number.is(Kind::floating))
        return number.number;
    return numberOf(number.text) / (number.is(Kind::rational) ? numberOf(number.denominator) : 1.0);
}

/// Classes that print like functions but are not functions in sympy.
bool isOther(std::string_view name)
{
    constexpr std::array<std::string_view, 11> kOthers = {
        "Max",           "Min", "And", "Or", "Not", "Equality", "Unequality", "GreaterThan", "LessThan", "StrictGreaterThan",
        "StrictLessThan"};
    return std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end();
}

std::tuple<int, int, std::string_view> classKey(const SympyExpression& expression)
{
    switch (expression.kind) {
    case Kind::integer:
    case Kind::rational:
    case Kind::floating: return {1, 0, "Number"};
    case Kind::symbol: return {2, 0, "Symbol"};
    case Kind::word: return {2, 0, "Atom"};
    case Kind::call: break;
    }
    if (expression.text == "Mul")
        return {3, 0, "Mul"};
    if (expression.text == "Add")
        return {3, 1, "Add"};
    if (expression.text == "Pow")
        return {3, 2, "Pow"};
    return {isOther(expression.text) ? 5 : 4, 0, expression.text};
}

template <typename T>
int order(const T& a, const T& b)
{
    return a < b ? -1 : (b < a ? 1 : 0);
}

struct Term {
    double coefficient = 1;
    std::vector<const SympyExpression*> factors; ///< without the coefficient
};

/// Splits a product into coefficient and factors. srepr writes a negative coefficient as two factors, -1 and its absolute value.
Term asTerm(const SympyExpression& expression)
{
    Term term;
    if (!expression.isCall("Mul")) {
        term.factors.push_back(&expression);
        return term;
    }
    for (const SympyExpression& factor : expression.arguments) {
        if (factor.isNumber())
            term.coefficient *= valueOf(factor);
        else
            term.factors.push_back(&factor);
    }
    if (term.factors.empty())
        term = {1, {&expression}};
    return term;
}

int compareLists(const std::vector<const SympyExpression*>& a, const std::vector<const SympyExpression*>& b)
{
    if (const int byCount = order(a.size(), b.size()); byCount != 0)
        return byCount;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (const int byItem = compareSympy(*a[i], *b[i]); byItem != 0)
            return byItem;
    return 0;
}

std::vector<const SympyExpression*> argumentsInOrder(const SympyExpression& call)
{
    if (call.isCall("Mul"))
        return sortedArguments(call);
    std::vector<const SympyExpression*> all;
    for (const SympyExpression& argument : call.arguments)
        all.push_back(&argument);
    return all;
}

int compareExponents(const SympyExpression* a, const SympyExpression* b)
{
    static const SympyExpression one{.kind = Kind::integer, .text = "1"};
    return compareSympy(a != nullptr ? *a : one, b != nullptr ? *b : one);
}

int compareFactors(const SympyExpression& a, const SympyExpression& b)
{
    const SympyPower x = asPower(a);
    const SympyPower y = asPower(b);
    if (const int byClass = order(classKey(*x.base), classKey(*y.base)); byClass != 0)
        return byClass;
    if (x.base->isNumber())
        return order(valueOf(*x.base), valueOf(*y.base));
    const int byContent = x.base->is(Kind::call) ? compareLists(argumentsInOrder(*x.base), argumentsInOrder(*y.base))
                                                 : order(x.base->text, y.base->text);
    if (byContent != 0)
        return byContent;
    return x.exponent == nullptr && y.exponent == nullptr ? 0 : compareExponents(x.exponent, y.exponent);
}

} // namespace

SympyPower asPower(const SympyExpression& expression)
{
    if (expression.isCall("Pow") && expression.arguments.size() == 2)
        return {&expression.arguments[0], &expression.arguments[1]};
    return {&expression, nullptr};
}

int compareSympy(const SympyExpression& a, const SympyExpression& b)
{
    const Term x = asTerm(a);
    const Term y = asTerm(b);
    if (a.isNumber() && b.isNumber())
        return order(valueOf(a), valueOf(b));
    if (x.factors.size() == 1 && y.factors.size() == 1) {
        const int byFactor = compareFactors(*x.factors.front(), *y.factors.front());
        return byFactor != 0 ? byFactor : order(x.coefficient, y.coefficient);
    }
    if (x.factors.size() == 1 || y.factors.size() == 1) { // a product and a non-product: only their classes can differ
        const bool first = x.factors.size() == 1;
        const auto single = classKey(*asPower(*(first ? x : y).factors.front()).base);
        const int bySingle = order(single, std::tuple<int, int, std::string_view>(3, 0, "Mul"));
        return first ? bySingle : -bySingle;
    }
    const auto bySympy = [](const SympyExpression* p, const SympyExpression* q) { return compareSympy(*p, *q) < 0; };
    std::vector<const SympyExpression*> p = x.factors;
    std::vector<const SympyExpression*> q = y.factors;
    std::stable_sort(p.begin(), p.end(), bySympy);
    std::stable_sort(q.begin(), q.end(), bySympy);
    const int byFactors = compareLists(p, q);
    return byFactors != 0 ? byFactors : order(x.coefficient, y.coefficient);
}

std::vector<const SympyExpression*> sortedArguments(const SympyExpression& call)
{
    std::vector<const SympyExpression*> all;
    for (const SympyExpression& argument : call.arguments)
        all.push_back(&argument);
    std::stable_sort(all.begin(), all.end(),
                     [](const SympyExpression* a, const SympyExpression* b) { return compareSympy(*a, *b) < 0; });
    return all;
}

} // namespace sunder
