#pragma once

#include "io/sympy/sympy_expression.h"
#include "io/sympy/sympy_polynomial.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace sunder {

/// Rewrites expressions of sizes by equations between products of atoms and polynomials: with `(s0 - 1)//2` = `s9 - 1`,
/// `((s0 - 1)//4) + 1` becomes `((s9 - 1)//2) + 1`. Every step is an equation over the integers. Atoms are numbered as
/// they are met.
class SympyRewriter final {
public:
    /// The expression as a polynomial, with all equations applied, inside of its functions too.
    [[nodiscard]] SympyPolynomial read(const SympyExpression& expression);
    /// The expression of a polynomial: terms of higher degree first, equal ones by their text.
    [[nodiscard]] SympyExpression write(const SympyPolynomial& polynomial) const;
    /// From now on the product is replaced by the polynomial, which must not hold it. Longer products come first.
    void addEquation(const SympyMonomial& product, const SympyPolynomial& value);

    /// Number of a symbol's atom.
    [[nodiscard]] std::uint32_t symbol(const std::string& name);
    /// The name, when the atom is a symbol; else empty.
    [[nodiscard]] std::string_view symbolName(std::uint32_t atom) const;
    /// Atoms of all symbols that occur in an atom, sorted.
    [[nodiscard]] const std::vector<std::uint32_t>& symbolsIn(std::uint32_t atom) const { return m_atoms[atom].symbols; }

private:
    struct Atom {
        SympyExpression expression;
        std::vector<std::uint32_t> symbols;
    };
    struct Equation {
        SympyMonomial product;
        SympyPolynomial value;
    };
    /// An equation whose product is `numerator // divisor`.
    struct Quotient {
        SympyPolynomial numerator;
        std::int64_t divisor;
        SympyPolynomial value;
    };

    [[nodiscard]] SympyPolynomial plain(const SympyExpression& expression);
    [[nodiscard]] SympyPolynomial readCall(const SympyExpression& call);
    [[nodiscard]] SympyPolynomial readQuotient(const SympyExpression& call);
    [[nodiscard]] SympyPolynomial quotient(const SympyPolynomial& numerator, std::int64_t divisor);
    [[nodiscard]] SympyPolynomial opaque(SympyExpression expression);
    [[nodiscard]] SympyPolynomial applied(SympyPolynomial polynomial) const;
    [[nodiscard]] std::optional<SympyPolynomial> appliedOnce(const SympyPolynomial& polynomial) const;
    [[nodiscard]] SympyExpression writeTerm(const SympyMonomial& monomial, std::int64_t coefficient) const;
    void addQuotient(std::uint32_t atom, const SympyPolynomial& value);

    std::vector<Atom> m_atoms;
    std::unordered_map<std::string, std::uint32_t> m_byText;
    std::vector<Equation> m_equations;
    std::vector<Quotient> m_quotients;
};

} // namespace sunder
