#pragma once

#include "io/sympy/sympy_expression.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sunder {

/// A product of atoms as their sorted numbers; a power repeats its atom. Empty: 1.
using SympyMonomial = std::vector<std::uint32_t>;

/// A sum of products with nonzero integer coefficients, the usual form of sizes. Every other expression is an atom.
struct SympyPolynomial {
    std::map<SympyMonomial, std::int64_t> terms = {};

    static SympyPolynomial number(std::int64_t value);
    static SympyPolynomial atom(std::uint32_t number) { return {.terms = {{{number}, 1}}}; }

    /// The constant term.
    [[nodiscard]] std::int64_t constant() const;
    /// The value of a polynomial without atoms.
    [[nodiscard]] std::optional<std::int64_t> asNumber() const;
    /// The atom of a polynomial that is a single atom.
    [[nodiscard]] std::optional<std::uint32_t> asAtom() const;
    /// Divides all coefficients by `divisor`; nothing if any has a remainder.
    [[nodiscard]] std::optional<SympyPolynomial> dividedBy(std::int64_t divisor) const;
    friend bool operator==(const SympyPolynomial&, const SympyPolynomial&) = default;
};

// Returns the result, or nothing if a coefficient exceeds 64 bits or there are more than a thousand terms.
std::optional<SympyPolynomial> plus(const SympyPolynomial& a, const SympyPolynomial& b);
std::optional<SympyPolynomial> times(const SympyPolynomial& a, const SympyPolynomial& b);

/// Removes `factors` from `from`; nothing if any of them is missing.
std::optional<SympyMonomial> without(const SympyMonomial& from, const SympyMonomial& factors);

/// Rewrites size expressions with equations between products of atoms and polynomials: with `(s0 - 1)//2` = `s9 - 1`, `((s0 -
/// 1)//4) + 1` becomes `((s9 - 1)//2) + 1`. Every step is an equality over the integers. Atoms are numbered in order of
/// appearance.
class SympyRewriter final {
public:
    /// Returns the expression as a polynomial, with all equations applied, including inside functions.
    [[nodiscard]] SympyPolynomial read(const SympyExpression& expression);
    /// Returns a polynomial as an expression: terms of higher degree first, equal degrees by text.
    [[nodiscard]] SympyExpression write(const SympyPolynomial& polynomial) const;
    /// Adds an equation that replaces the product by the polynomial, which must not contain the product. Longer products take
    /// precedence.
    void addEquation(const SympyMonomial& product, const SympyPolynomial& value);

    /// Returns the atom of a symbol.
    [[nodiscard]] std::uint32_t symbol(const std::string& name);
    /// Returns the name if the atom is a symbol, else an empty text.
    [[nodiscard]] std::string_view symbolName(std::uint32_t atom) const;
    /// Returns the sorted atoms of all symbols in an atom.
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
    /// An equation with the left side `numerator // divisor`.
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
