#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace sunder {

/// A product of atoms by their numbers, sorted; a power repeats its atom. Empty: the number one.
using SympyMonomial = std::vector<std::uint32_t>;

/// A sum of products with whole coefficients, none of them zero: what sizes are. Atoms are everything else.
struct SympyPolynomial {
    std::map<SympyMonomial, std::int64_t> terms = {};

    static SympyPolynomial number(std::int64_t value);
    static SympyPolynomial atom(std::uint32_t number) { return {.terms = {{{number}, 1}}}; }

    /// What stands without an atom.
    [[nodiscard]] std::int64_t constant() const;
    /// The value of a polynomial without atoms.
    [[nodiscard]] std::optional<std::int64_t> asNumber() const;
    /// The atom of a polynomial that is nothing but one.
    [[nodiscard]] std::optional<std::uint32_t> asAtom() const;
    /// All coefficients by `divisor`; nothing when one leaves a rest.
    [[nodiscard]] std::optional<SympyPolynomial> dividedBy(std::int64_t divisor) const;
    friend bool operator==(const SympyPolynomial&, const SympyPolynomial&) = default;
};

// Nothing when a coefficient leaves 64 bits or the result has more than a thousand terms.
std::optional<SympyPolynomial> plus(const SympyPolynomial& a, const SympyPolynomial& b);
std::optional<SympyPolynomial> times(const SympyPolynomial& a, const SympyPolynomial& b);

/// What is left of `from` without the factors of `factors`; nothing when it lacks one of them.
std::optional<SympyMonomial> without(const SympyMonomial& from, const SympyMonomial& factors);

} // namespace sunder
