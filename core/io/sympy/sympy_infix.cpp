#include "io/sympy/sympy_infix.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace sunder {
namespace {

using Kind = SympyExpression::Kind;

constexpr unsigned kDeepestInfix = 100;
SympyExpression integer(std::string digits)
{
    return {.kind = Kind::integer, .text = std::move(digits)};
}

/// A binary operator and its class in sympy.
struct Operator {
    std::string_view sign;
    std::string_view name;
};

// Operators by precedence as in Python, lowest first; longer ones precede their prefixes.
constexpr std::array<Operator, 6> kComparisons = {{{">=", "GreaterThan"},
                                                   {"<=", "LessThan"},
                                                   {"==", "Equality"},
                                                   {"!=", "Unequality"},
                                                   {">", "StrictGreaterThan"},
                                                   {"<", "StrictLessThan"}}};
constexpr std::array<Operator, 1> kOr = {{{"|", "Or"}}};
constexpr std::array<Operator, 1> kAnd = {{{"&", "And"}}};
constexpr std::array<Operator, 2> kSums = {{{"+", "Add"}, {"-", "-"}}};
constexpr std::array<Operator, 4> kProducts = {{{"//", "FloorDiv"}, {"*", "Mul"}, {"/", "/"}, {"%", "PythonMod"}}};
constexpr std::size_t kLevels = 5;

std::span<const Operator> operatorsOf(std::size_t level)
{
    switch (level) {
    case 0: return kComparisons;
    case 1: return kOr;
    case 2: return kAnd;
    case 3: return kSums;
    default: return kProducts;
    }
}

SympyExpression negated(SympyExpression operand)
{
    if (operand.is(Kind::integer) || operand.is(Kind::rational)) {
        operand.text = operand.text.starts_with('-') ? operand.text.substr(1) : "-" + operand.text;
        return operand;
    }
    if (operand.is(Kind::floating)) {
        operand.number = -operand.number;
        return operand;
    }
    return sympyCall("Mul", {integer("-1"), std::move(operand)});
}

/// Flattens sums, products, "and", and "or" into one expression with all operands, as sympy does.
SympyExpression chained(const std::string& name, SympyExpression left, SympyExpression right)
{
    const bool chains = name == "Add" || name == "Mul" || name == "And" || name == "Or";
    if (!chains || !left.isCall(name))
        return sympyCall(name, {std::move(left), std::move(right)});
    left.arguments.push_back(std::move(right));
    return left;
}

SympyExpression combined(std::string_view name, SympyExpression left, SympyExpression right)
{
    if (name == "-")
        return chained("Add", std::move(left), negated(std::move(right)));
    if (name != "/")
        return chained(std::string(name), std::move(left), std::move(right));
    if (left.is(Kind::integer) && right.is(Kind::integer))
        return {.kind = Kind::rational, .text = left.text, .denominator = right.text};
    return chained("Mul", std::move(left), sympyCall("Pow", {std::move(right), integer("-1")}));
}

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    std::optional<SympyExpression> parse()
    {
        SympyExpression expression = level(0);
        skipSpace();
        return m_failed || m_at != m_text.size() ? std::nullopt : std::optional(std::move(expression));
    }

private:
    SympyExpression failed()
    {
        m_failed = true;
        return {};
    }

    void skipSpace()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }

    bool take(std::string_view sign)
    {
        skipSpace();
        if (!m_text.substr(m_at).starts_with(sign))
            return false;
        m_at += sign.size();
        return true;
    }

    const Operator* takeOperator(std::size_t wanted)
    {
        skipSpace();
        const std::string_view rest = m_text.substr(m_at);
        if (rest.starts_with("**"))
            return nullptr;
        for (const Operator& candidate : operatorsOf(wanted))
            if (rest.starts_with(candidate.sign)) {
                m_at += candidate.sign.size();
                return &candidate;
            }
        return nullptr;
    }

    SympyExpression level(std::size_t at)
    {
        if (at == kLevels)
            return unary();
        SympyExpression left = level(at + 1);
        while (!m_failed) {
            const Operator* found = takeOperator(at);
            if (found == nullptr)
                break;
            left = combined(found->name, std::move(left), level(at + 1));
        }
        return left;
    }

    SympyExpression unary()
    {
        if (++m_depth > kDeepestInfix)
            return failed();
        SympyExpression result;
        if (take("-"))
            result = negated(unary());
        else if (take("~"))
            result = sympyCall("Not", {unary()});
        else
            result = power();
        --m_depth;
        return result;
    }

    SympyExpression power()
    {
        SympyExpression base = atom();
        if (!m_failed && take("**"))
            return sympyCall("Pow", {std::move(base), unary()});
        return base;
    }

    SympyExpression atom()
    {
        if (take("(")) {
            SympyExpression inside = level(0);
            return take(")") ? inside : failed();
        }
        skipSpace();
        const std::size_t start = m_at;
        const auto isWordPart = [](char c) { return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
        while (m_at < m_text.size() && isWordPart(m_text[m_at]))
            ++m_at;
        const std::string word(m_text.substr(start, m_at - start));
        if (word.empty())
            return failed();
        if (std::isdigit(static_cast<unsigned char>(word[0])) != 0 || word[0] == '.')
            return number(word);
        return take("(") ? function(word) : symbol(word);
    }

    SympyExpression number(std::string word)
    {
        if (word.find_first_not_of("0123456789") == std::string::npos)
            return integer(std::move(word));
        if (word.back() == 'e' && (take("+") || take("-"))) { // the sign in "1.0e-5" ended the word
            word += m_text[m_at - 1];
            const std::size_t start = m_at;
            while (m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at])) != 0)
                ++m_at;
            word += m_text.substr(start, m_at - start);
        }
        char* end = nullptr;
        const double value = std::strtod(word.c_str(), &end);
        if (*end != '\0')
            return failed();
        return {.kind = Kind::floating, .number = value};
    }

    SympyExpression symbol(const std::string& word)
    {
        if (word == "True" || word == "False")
            return {.kind = Kind::word, .text = word == "True" ? "true" : "false"};
        const bool isConstant = word == "oo" || word == "int_oo" || word == "nan" || word == "pi" || word == "E";
        return {.kind = isConstant ? Kind::word : Kind::symbol, .text = word};
    }

    SympyExpression function(const std::string& word)
    {
        std::vector<SympyExpression> arguments;
        if (!take(")")) {
            do
                arguments.push_back(level(0));
            while (!m_failed && take(","));
            if (m_failed || !take(")"))
                return failed();
        }
        if (word == "Eq" || word == "Ne")
            return sympyCall(word == "Eq" ? "Equality" : "Unequality", std::move(arguments));
        if (word == "sqrt" && arguments.size() == 1)
            return sympyCall("Pow", {std::move(arguments[0]), {.kind = Kind::rational, .text = "1", .denominator = "2"}});
        return sympyCall(word, std::move(arguments));
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    unsigned m_depth = 0;
    bool m_failed = false;
};

std::string floatText(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    std::string shortest = text;
    for (int digits = 1; digits < 17; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, value);
        if (std::strtod(text, nullptr) == value) {
            shortest = text;
            break;
        }
    }
    if (shortest.find_first_of(".en") == std::string::npos)
        shortest += ".0";
    return shortest;
}

bool isFloatSymbol(std::string_view name)
{
    return name.starts_with("zf") || name.starts_with("zuf");
}

} // namespace

std::optional<SympyExpression> parseInfix(std::string_view text)
{
    return Parser(text).parse();
}

std::string printSrepr(const SympyExpression& expression, const std::function<bool(std::string_view)>& isPositive)
{
    switch (expression.kind) {
    case Kind::symbol:
        return "Symbol('" + expression.text + "'" + (isPositive(expression.text) ? ", positive=True" : "")
            + (isFloatSymbol(expression.text) ? ", real=True)" : ", integer=True)");
    case Kind::integer: return "Integer(" + expression.text + ")";
    case Kind::rational: return "Rational(" + expression.text + ", " + expression.denominator + ")";
    case Kind::floating: return "Float('" + floatText(expression.number) + "', precision=53)";
    case Kind::word: return expression.text;
    case Kind::call: break;
    }
    std::string text = expression.text + "(";
    for (const SympyExpression& argument : expression.arguments) {
        text += text.back() == '(' ? "" : ", ";
        text += printSrepr(argument, isPositive);
    }
    return text + ")";
}

} // namespace sunder
