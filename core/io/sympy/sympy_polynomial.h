#pragma once

#include <cstdint>
#include <map>
#include <optional>
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

} // namespace sunder
