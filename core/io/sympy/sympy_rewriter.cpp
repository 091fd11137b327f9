#include "io/sympy/sympy_rewriter.h"

#include "io/sympy/sympy_printer.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <charconv>

namespace sunder {
namespace {

using Kind = SympyExpression::Kind;

constexpr std::int64_t kLargestPower = 16;
constexpr int kMaxRounds = 100; ///< limit of replacements; equations terminate because they lead away from their left sides

SympyExpression integer(std::int64_t value)
{
    return {.kind = Kind::integer, .text = std::to_string(value)};
}

std::optional<std::int64_t> smallInteger(const SympyExpression& expression)
{
    std::int64_t value = 0;
    if (!expression.is(Kind::integer))
        return std::nullopt;
    const char* const end = expression.text.data() + expression.text.size();
    const auto [stop, error] = std::from_chars(expression.text.data(), end, value);
    return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::int64_t floorOf(std::int64_t numerator, std::int64_t divisor)
{
    return numerator / divisor - (numerator % divisor < 0 ? 1 : 0);
}

} // namespace

std::uint32_t SympyRewriter::symbol(const std::string& name)
{
    return *opaque({.kind = Kind::symbol, .text = name}).asAtom();
}

std::string_view SympyRewriter::symbolName(std::uint32_t atom) const
{
    const SympyExpression& expression = m_atoms[atom].expression;
    return expression.is(Kind::symbol) ? std::string_view(expression.text) : std::string_view();
}

SympyPolynomial SympyRewriter::read(const SympyExpression& expression)
{
    return applied(plain(expression));
}

/// Reads an expression without applying equations at its top level, because equations for products take precedence over those for
/// their factors.
SympyPolynomial SympyRewriter::plain(const SympyExpression& expression)
{
    if (const std::optional<std::int64_t> value = smallInteger(expression))
        return SympyPolynomial::number(*value);
    return expression.is(Kind::call) ? readCall(expression) : opaque(expression);
}

SympyPolynomial SympyRewriter::readCall(const SympyExpression& expression)
{
    const bool isSum = expression.text == "Add";
    if (isSum || expression.text == "Mul") {
        std::optional<SympyPolynomial> result = SympyPolynomial::number(isSum ? 0 : 1);
        for (const SympyExpression& argument : expression.arguments)
            if (result)
                result = isSum ? plus(*result, plain(argument)) : times(*result, plain(argument));
        if (result)
            return *result;
    }
    if (expression.text == "Pow" && expression.arguments.size() == 2)
        if (const auto power = smallInteger(expression.arguments[1]); power && *power >= 0 && *power <= kLargestPower) {
            const SympyPolynomial base = plain(expression.arguments[0]);
            std::optional<SympyPolynomial> result = SympyPolynomial::number(1);
            for (std::int64_t i = 0; i < *power && result; ++i)
                result = times(*result, base);
            if (result)
                return *result;
        }
    if (expression.text == "FloorDiv" && expression.arguments.size() == 2)
        return readQuotient(expression);
    SympyExpression rewritten = expression;
    for (SympyExpression& argument : rewritten.arguments)
        argument = write(read(argument));
    return opaque(std::move(rewritten));
}

SympyPolynomial SympyRewriter::readQuotient(const SympyExpression& expression)
{
    const SympyPolynomial numerator = read(expression.arguments[0]);
    const SympyPolynomial divisor = read(expression.arguments[1]);
    if (const auto value = divisor.asNumber(); value && *value > 0)
        return quotient(numerator, *value);
    return opaque(sympyCall("FloorDiv", {write(numerator), write(divisor)}));
}

/// Uses (a + j·m) // (j·k) = ((a // j) + m) // k for integers j, k > 0.
SympyPolynomial SympyRewriter::quotient(const SympyPolynomial& numerator, std::int64_t divisor)
{
    if (const auto value = numerator.asNumber())
        return SympyPolynomial::number(floorOf(*value, divisor));
    if (const auto exact = numerator.dividedBy(divisor))
        return *exact;
    for (const Quotient& known : m_quotients) {
        if (divisor % known.divisor != 0)
            continue;
        const auto minus = times(known.numerator, SympyPolynomial::number(-1));
        const auto beyond = minus ? plus(numerator, *minus) : std::nullopt;
        const auto whole = beyond ? beyond->dividedBy(known.divisor) : std::nullopt;
        const auto inside = whole ? plus(known.value, *whole) : std::nullopt;
        if (inside)
            return quotient(applied(*inside), divisor / known.divisor);
    }
    if (const auto atom = numerator.asAtom()) { // (a // j) // k = a // (j·k)
        const SympyExpression& inner = m_atoms[*atom].expression;
        const auto by = inner.isCall("FloorDiv") ? smallInteger(inner.arguments[1]) : std::nullopt;
        std::int64_t product = 0;
        if (by && *by > 0 && !__builtin_mul_overflow(*by, divisor, &product))
            return opaque(sympyCall("FloorDiv", {inner.arguments[0], integer(product)}));
    }
    return opaque(sympyCall("FloorDiv", {write(numerator), integer(divisor)}));
}

SympyPolynomial SympyRewriter::opaque(SympyExpression expression)
{
    std::string text = printSympy(expression);
    const auto [at, isNew] = m_byText.try_emplace(std::move(text), static_cast<std::uint32_t>(m_atoms.size()));
    if (!isNew)
        return SympyPolynomial::atom(at->second);
    const std::uint32_t number = at->second;
    m_atoms.push_back({std::move(expression), {}});
    if (m_atoms[number].expression.is(Kind::symbol)) {
        m_atoms[number].symbols = {number};
        return SympyPolynomial::atom(number);
    }
    const SympyExpression whole = m_atoms[number].expression; // a copy, because the table grows below
    std::vector<const SympyExpression*> todo = {&whole};
    std::vector<std::uint32_t> symbols;
    while (!todo.empty()) {
        const SympyExpression& next = *todo.back();
        todo.pop_back();
        if (next.is(Kind::symbol))
            symbols.push_back(symbol(next.text));
        for (const SympyExpression& argument : next.arguments)
            todo.push_back(&argument);
    }
    sortUnique(symbols);
    m_atoms[number].symbols = std::move(symbols);
    return SympyPolynomial::atom(number);
}

SympyPolynomial SympyRewriter::applied(SympyPolynomial polynomial) const
{
    for (int round = 0; round < kMaxRounds; ++round) {
        std::optional<SympyPolynomial> next = appliedOnce(polynomial);
        if (!next)
            break;
        polynomial = *std::move(next);
    }
    return polynomial;
}

/// Applies the first equation that matches a term; nothing if none does.
std::optional<SympyPolynomial> SympyRewriter::appliedOnce(const SympyPolynomial& polynomial) const
{
    for (const Equation& equation : m_equations)
        for (const auto& [monomial, coefficient] : polynomial.terms) {
            const std::optional<SympyMonomial> rest = without(monomial, equation.product);
            if (!rest)
                continue;
            const auto replacement = times(SympyPolynomial{.terms = {{*rest, coefficient}}}, equation.value);
            SympyPolynomial others = polynomial;
            others.terms.erase(monomial);
            return replacement ? plus(others, *replacement) : std::nullopt;
        }
    return std::nullopt;
}

void SympyRewriter::addQuotient(std::uint32_t atom, const SympyPolynomial& value)
{
    const SympyExpression expression = m_atoms[atom].expression;
    const auto divisor = expression.isCall("FloorDiv") ? smallInteger(expression.arguments[1]) : std::nullopt;
    if (divisor && *divisor > 1)
        m_quotients.push_back({read(expression.arguments[0]), *divisor, value});
}

void SympyRewriter::addEquation(const SympyMonomial& product, const SympyPolynomial& value)
{
    const auto shorter = std::find_if(m_equations.begin(), m_equations.end(),
                                      [&](const Equation& equation) { return equation.product.size() < product.size(); });
    m_equations.insert(shorter, {product, value});
    for (Equation& equation : m_equations)
        equation.value = applied(equation.value);
    const std::vector<Quotient> known = std::move(m_quotients);
    m_quotients.clear();
    for (const Quotient& old : known) // the new equation may change their contents
        m_quotients.push_back({read(write(old.numerator)), old.divisor, applied(old.value)});
    if (product.size() == 1)
        addQuotient(product.front(), applied(value));
}

SympyExpression SympyRewriter::writeTerm(const SympyMonomial& monomial, std::int64_t coefficient) const
{
    std::vector<SympyExpression> factors;
    if (coefficient != 1 || monomial.empty())
        factors.push_back(integer(coefficient));
    for (std::size_t at = 0; at < monomial.size();) {
        std::size_t end = at;
        while (end < monomial.size() && monomial[end] == monomial[at])
            ++end;
        const SympyExpression& base = m_atoms[monomial[at]].expression;
        factors.push_back(end - at == 1 ? base : sympyCall("Pow", {base, integer(static_cast<std::int64_t>(end - at))}));
        at = end;
    }
    return factors.size() == 1 ? factors.front() : sympyCall("Mul", std::move(factors));
}

SympyExpression SympyRewriter::write(const SympyPolynomial& polynomial) const
{
    struct Term {
        std::size_t degree;
        std::string text;
        SympyExpression expression;
    };
    if (const auto value = polynomial.asNumber())
        return integer(*value);
    std::vector<Term> terms;
    for (const auto& [monomial, coefficient] : polynomial.terms)
        terms.push_back({monomial.size(), printSympy(writeTerm(monomial, 1)), writeTerm(monomial, coefficient)});
    std::sort(terms.begin(), terms.end(),
              [](const Term& a, const Term& b) { return a.degree != b.degree ? a.degree > b.degree : a.text < b.text; });
    if (terms.size() == 1)
        return terms.front().expression;
    SympyExpression sum = sympyCall("Add", {});
    for (Term& term : terms)
        sum.arguments.push_back(std::move(term.expression));
    return sum;
}

namespace {

constexpr std::size_t kMaxTerms = 1000;

bool addTerm(SympyPolynomial& to, const SympyMonomial& monomial, std::int64_t coefficient)
{
    const auto [at, isNew] = to.terms.try_emplace(monomial, coefficient);
    if (!isNew && __builtin_add_overflow(at->second, coefficient, &at->second))
        return false;
    if (at->second == 0)
        to.terms.erase(at);
    return to.terms.size() <= kMaxTerms;
}

} // namespace

SympyPolynomial SympyPolynomial::number(std::int64_t value)
{
    return value == 0 ? SympyPolynomial{} : SympyPolynomial{.terms = {{{}, value}}};
}

std::int64_t SympyPolynomial::constant() const
{
    const auto found = terms.find({});
    return found == terms.end() ? 0 : found->second;
}

std::optional<std::int64_t> SympyPolynomial::asNumber() const
{
    const bool isNumber = terms.empty() || (terms.size() == 1 && terms.begin()->first.empty());
    return isNumber ? std::optional(constant()) : std::nullopt;
}

std::optional<std::uint32_t> SympyPolynomial::asAtom() const
{
    const bool isAtom = terms.size() == 1 && terms.begin()->first.size() == 1 && terms.begin()->second == 1;
    return isAtom ? std::optional(terms.begin()->first.front()) : std::nullopt;
}

std::optional<SympyPolynomial> SympyPolynomial::dividedBy(std::int64_t divisor) const
{
    SympyPolynomial quotient;
    for (const auto& [monomial, coefficient] : terms) {
        if (divisor == -1 || coefficient % divisor != 0)
            return std::nullopt;
        quotient.terms.emplace(monomial, coefficient / divisor);
    }
    return quotient;
}

std::optional<SympyPolynomial> plus(const SympyPolynomial& a, const SympyPolynomial& b)
{
    SympyPolynomial sum = a;
    for (const auto& [monomial, coefficient] : b.terms)
        if (!addTerm(sum, monomial, coefficient))
            return std::nullopt;
    return sum;
}

std::optional<SympyPolynomial> times(const SympyPolynomial& a, const SympyPolynomial& b)
{
    SympyPolynomial product;
    for (const auto& [left, leftCoefficient] : a.terms)
        for (const auto& [right, rightCoefficient] : b.terms) {
            std::int64_t coefficient = 0;
            SympyMonomial monomial;
            std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(monomial));
            if (__builtin_mul_overflow(leftCoefficient, rightCoefficient, &coefficient)
                || !addTerm(product, monomial, coefficient))
                return std::nullopt;
        }
    return product;
}

std::optional<SympyMonomial> without(const SympyMonomial& from, const SympyMonomial& factors)
{
    if (!std::includes(from.begin(), from.end(), factors.begin(), factors.end()))
        return std::nullopt;
    SympyMonomial rest;
    std::set_difference(from.begin(), from.end(), factors.begin(), factors.end(), std::back_inserter(rest));
    return rest;
}

} // namespace sunder
