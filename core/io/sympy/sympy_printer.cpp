#include "io/sympy/sympy_printer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

namespace sunder {
namespace {

using Kind = SympyExpression::Kind;

/// Base and exponent of a power. Any other expression is a base without exponent.
struct SympyPower {
    const SympyExpression* base = nullptr;
    const SympyExpression* exponent = nullptr;
};

SympyPower asPower(const SympyExpression& expression)
{
    if (expression.isCall("Pow") && expression.arguments.size() == 2)
        return {&expression.arguments[0], &expression.arguments[1]};
    return {&expression, nullptr};
}

int compareSympy(const SympyExpression& a, const SympyExpression& b);
std::vector<const SympyExpression*> sortedArguments(const SympyExpression& call);

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

/// Compares by sympy's default order: negative, 0, or positive if `a` comes before, equals, or comes after `b`. The order is
/// numbers, symbols, products, sums, functions by name, others; then arguments, exponent, coefficient.
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

/// Returns the arguments in that order.
std::vector<const SympyExpression*> sortedArguments(const SympyExpression& call)
{
    std::vector<const SympyExpression*> all;
    for (const SympyExpression& argument : call.arguments)
        all.push_back(&argument);
    std::stable_sort(all.begin(), all.end(),
                     [](const SympyExpression* a, const SympyExpression* b) { return compareSympy(*a, *b) < 0; });
    return all;
}

using Kind = SympyExpression::Kind;

// sympy's precedence levels: an operand with a lower level than its context is printed in brackets.
constexpr double kOrLevel = 20;
constexpr double kAndLevel = 30;
constexpr double kRelational = 35;
constexpr double kAdd = 40;
constexpr double kMul = 50;
constexpr double kPow = 60;
constexpr double kFunction = 70;
constexpr double kNot = 100;
constexpr double kAtom = 1000;

/// Precedence of classes with a fixed one, including PyTorch's functions.
struct Binding {
    std::string_view name;
    double precedence;
};

constexpr Binding kBindings[] = {
    {"Add", kAdd},          {"Pow", kPow},        {"And", kAndLevel},   {"Or", kOrLevel},
    {"Not", kNot},          {"GreaterThan", 35},  {"LessThan", 35},     {"StrictGreaterThan", 35},
    {"StrictLessThan", 35}, {"Equality", kMul},   {"Unequality", kMul}, {"Max", kAtom},
    {"Min", kAtom},         {"FloorDiv", 35},     {"CleanDiv", 35},     {"ModularIndexing", 35},
    {"Where", 35},          {"PythonMod", 35},    {"Mod", 35},          {"PowByNatural", 50},
    {"FloatPow", 60},       {"FloatTrueDiv", 35}, {"IntTrueDiv", 35},   {"Identity", 10},
};

double precedence(const SympyExpression& expression);

bool isLooseFunction(const SympyExpression& expression)
{
    return expression.is(Kind::call) && expression.text != "Add" && expression.text != "Mul" && expression.text != "Pow"
        && precedence(expression) < kMul;
}

double precedenceOfProduct(const SympyExpression& product)
{
    for (const SympyExpression& factor : product.arguments)
        if (isLooseFunction(factor))
            return kMul;
    return !product.arguments.empty() && product.arguments.front().isNegative() ? kAdd : kMul;
}

double precedence(const SympyExpression& expression)
{
    if (expression.isNegative())
        return kAdd;
    if (expression.is(Kind::rational))
        return kMul;
    if (!expression.is(Kind::call))
        return kAtom;
    if (expression.text == "Mul")
        return precedenceOfProduct(expression);
    for (const Binding& binding : kBindings)
        if (binding.name == expression.text)
            return binding.precedence;
    return kFunction;
}

std::string_view relationOf(std::string_view name)
{
    if (name == "GreaterThan")
        return " >= ";
    if (name == "LessThan")
        return " <= ";
    if (name == "StrictGreaterThan")
        return " > ";
    return name == "StrictLessThan" ? " < " : std::string_view();
}

/// Prints 15 significant digits, as sympy does for a double, or all of them if the number is the whole expression.
std::string printFloat(double value, bool whole)
{
    constexpr int kDigits = 15;
    if (value == 0)
        return "0.0";
    char scientific[64];
    std::snprintf(scientific, sizeof scientific, "%.*e", kDigits - 1, std::abs(value));
    std::string digits(1, scientific[0]);
    digits.append(scientific + 2, kDigits - 1);
    int exponent = std::atoi(scientific + 2 + kDigits);
    std::size_t split = 1;
    if (exponent > -5 && exponent < kDigits) {
        if (exponent < 0)
            digits.insert(0, static_cast<std::size_t>(-exponent), '0');
        else
            split = static_cast<std::size_t>(exponent) + 1;
        exponent = 0;
    }
    digits.insert(split, ".");
    if (!whole)
        digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.')
        digits += '0';
    if (exponent != 0)
        digits += (exponent > 0 ? "e+" : "e") + std::to_string(exponent);
    return (value < 0 ? "-" : "") + digits;
}

/// Prints one expression; `level` is its nesting depth.
class Printer {
public:
    std::string print(const SympyExpression& expression, unsigned level) const
    {
        switch (expression.kind) {
        case Kind::symbol:
        case Kind::integer: return expression.text;
        case Kind::rational: return expression.text + "/" + expression.denominator;
        case Kind::floating: return printFloat(expression.number, level == 0);
        case Kind::word: return printWord(expression.text);
        case Kind::call: return printCall(expression, level + 1);
        }
        return {};
    }

private:
    static std::string printWord(const std::string& word) { return word == "true" ? "True" : (word == "false" ? "False" : word); }

    std::string bracketed(const SympyExpression& expression, double binding, bool strict, unsigned level) const
    {
        const double own = precedence(expression);
        const std::string text = print(expression, level);
        return own < binding || (!strict && own <= binding) ? "(" + text + ")" : text;
    }

    std::string printCall(const SympyExpression& call, unsigned level) const
    {
        const std::size_t count = call.arguments.size();
        if (call.text == "Add" && count > 0)
            return printSum(call, level);
        if (call.text == "Mul" && count > 0)
            return printProduct(call, level);
        if (call.text == "Pow" && count == 2)
            return printPower(call.arguments[0], call.arguments[1], level);
        if (const std::string_view relation = relationOf(call.text); !relation.empty() && count == 2)
            return bracketed(call.arguments[0], kRelational, false, level) + std::string(relation)
                + bracketed(call.arguments[1], kRelational, false, level);
        if ((call.text == "FloorDiv" || call.text == "CleanDiv") && count == 2)
            return "(" + bracketed(call.arguments[0], kAtom - 0.5, false, level) + "//"
                + bracketed(call.arguments[1], kAtom - 0.5, false, level) + ")";
        if (call.text == "Identity" && count == 1)
            return "(" + print(call.arguments[0], level) + ")";
        if (call.text == "Not" && count == 1)
            return "~" + bracketed(call.arguments[0], kNot, false, level);
        if (call.text == "And" || call.text == "Or")
            return joined(call, call.text == "And" ? " & " : " | ", call.text == "And" ? 38 : 36, level);
        return printFunction(call, level);
    }

    std::string joined(const SympyExpression& call, std::string_view separator, double binding, unsigned level) const
    {
        std::string text;
        for (const SympyExpression& argument : call.arguments) {
            text += text.empty() ? std::string_view() : separator;
            text += bracketed(argument, binding, false, level);
        }
        return text;
    }

    std::string printFunction(const SympyExpression& call, unsigned level) const
    {
        std::string name = call.text;
        if (name == "Equality" || name == "Unequality")
            name = name == "Equality" ? "Eq" : "Ne";
        std::string text;
        const bool sorts = name == "Max" || name == "Min";
        std::vector<const SympyExpression*> arguments;
        for (const SympyExpression& argument : call.arguments)
            arguments.push_back(&argument);
        for (const SympyExpression* argument : sorts ? sortedArguments(call) : arguments)
            text += (text.empty() ? "" : ", ") + print(*argument, level);
        return name + "(" + text + ")";
    }

    std::string printSum(const SympyExpression& sum, unsigned level) const
    {
        std::string text;
        for (const SympyExpression& term : sum.arguments) {
            std::string part = print(term, level);
            const bool isSum = term.isCall("Add");
            const bool minus = part.starts_with('-') && !isSum;
            if (minus)
                part.erase(0, 1);
            if (precedence(term) < kAdd || isSum)
                part = "(" + part + ")";
            if (text.empty())
                text = minus ? "-" : "";
            else
                text += minus ? " - " : " + ";
            text += part;
        }
        return text;
    }

    std::string printPower(const SympyExpression& base, const SympyExpression& exponent, unsigned level) const
    {
        const bool half = exponent.is(Kind::rational) && exponent.denominator == "2";
        if (half && exponent.text == "1")
            return "sqrt(" + print(base, level) + ")";
        if (half && exponent.text == "-1")
            return "1/sqrt(" + print(base, level) + ")";
        if (exponent.is(Kind::integer) && exponent.text == "-1")
            return "1/" + bracketed(base, kPow, false, level);
        return bracketed(base, kPow, false, level) + "**" + bracketed(exponent, kPow, false, level);
    }

    /// Numerator and denominator of the product that is printed.
    struct Fraction {
        std::vector<std::string> above;
        std::vector<std::string> below;
    };

    void addFactor(const SympyExpression& factor, double binding, unsigned level, Fraction& fraction) const
    {
        if (factor.is(Kind::integer) || factor.is(Kind::rational)) {
            const std::string digits = factor.text.substr(factor.isNegative() ? 1 : 0);
            if (digits != "1")
                fraction.above.push_back(digits);
            if (factor.is(Kind::rational))
                fraction.below.push_back(factor.denominator);
            return;
        }
        const SympyPower power = asPower(factor);
        if (power.exponent == nullptr || !power.exponent->isNumber() || !power.exponent->isNegative()) {
            SympyExpression positive = factor;
            positive.number = std::abs(positive.number);
            fraction.above.push_back(bracketed(positive, binding, false, level));
        } else if (power.exponent->is(Kind::integer) && power.exponent->text == "-1") {
            fraction.below.push_back(bracketed(*power.base, binding, false, level));
        } else {
            SympyExpression inverse = factor;
            inverse.arguments[1].text.erase(0, 1);
            inverse.arguments[1].number = -inverse.arguments[1].number;
            fraction.below.push_back(bracketed(inverse, binding, false, level));
        }
    }

    std::string printProduct(const SympyExpression& product, unsigned level) const
    {
        const double binding = precedence(product);
        Fraction fraction;
        for (const SympyExpression* factor : sortedArguments(product))
            addFactor(*factor, binding, level, fraction);
        std::string text = product.arguments.front().isNegative() ? "-" : "";
        text += fraction.above.empty() ? "1" : joined(fraction.above);
        if (fraction.below.empty())
            return text;
        const std::string below = joined(fraction.below);
        return text + (fraction.below.size() == 1 ? "/" + below : "/(" + below + ")");
    }

    static std::string joined(const std::vector<std::string>& factors)
    {
        std::string text;
        for (const std::string& factor : factors)
            text += (text.empty() ? "" : "*") + factor;
        return text;
    }
};

} // namespace

std::string printSympy(const SympyExpression& expression)
{
    return Printer().print(expression, 0);
}

} // namespace sunder
