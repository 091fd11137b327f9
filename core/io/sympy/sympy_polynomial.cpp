#include "io/sympy/sympy_polynomial.h"

#include <algorithm>

namespace sunder {
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
