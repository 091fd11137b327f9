#include "io/sympy/sympy_printer.h"

#include "io/sympy/sympy_order.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace sunder {
namespace {

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
