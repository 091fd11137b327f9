#pragma once

#include "operators/number_functions.h"
#include "verify/explanation.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sunder {

/// The numbers that a tensor can hold, by its dtype.
enum class Numbers : std::uint8_t {
    free,      ///< an input that no file describes: it can be float32
    floats,    ///< float32, float64, bfloat16, and numbers of Python
    halves,    ///< float16
    complexes, ///< complex64, complex128
    integers,  ///< int16 and wider
    bytes,     ///< int8, uint8
    unknown,   ///< one of these, or bool
    others,    ///< bool, quantized and sparse tensors, and all else that few functions accept
};

/// What is known of the values of terms, from what the files say of them.
class ValueFacts {
public:
    ValueFacts(const ExplainedSide& first, const ExplainedSide& second, const TermTable& terms,
               const Correspondence& correspondence);

    /// Whether a tensor has at least one element for some input, so that other numbers are another tensor. True for what is no tensor. A
    /// value that is not described has elements if it is computed elementwise, by a product, or as a view of all elements. O(terms).
    bool hasElements(TermId term);
    /// Whether nothing that is known of a call says that its result has no elements: no description, and no size of 0. O(terms).
    bool isNotEmpty(TermId call);
    /// The numbers of a value, or of what it is computed from elementwise. O(terms).
    Numbers numbersOf(TermId term);
    /// Whether a value is no list, tuple, or dict for sure. O(depth).
    [[nodiscard]] bool isNoContainer(TermId term) const;
    /// Whether a number in arithmetic has an effect that its value alone decides: it is neither lost in rounding nor reduced by the
    /// overflow of integers. `numbers`: those of the other operand.
    [[nodiscard]] bool isPlainNumber(TermId number, Numbers numbers) const;
    /// The sizes of a tensor; nothing if these are unknown or symbolic.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> sizesOf(TermId term) const;

private:
    [[nodiscard]] std::vector<const Argument*> descriptions(TermId term) const;
    [[nodiscard]] std::vector<const TensorMeta*> tensors(TermId term) const;
    [[nodiscard]] bool hasElementsByParts(TermId term) const;
    [[nodiscard]] Numbers numbersByParts(TermId term) const;

    const ExplainedSide& m_first;
    const ExplainedSide& m_second;
    const TermTable& m_terms;
    bool m_takesLeaves; ///< inputs are leaves, as of exported programs
    std::unordered_map<std::uint64_t, std::vector<const Argument*>> m_inputs;
    std::unordered_map<TermId, const TensorMeta*> m_tensors;
    std::vector<bool> m_elements; ///< by term, as far as was asked
    std::vector<Numbers> m_numbers; ///< the same
};

/// Whether a call is a view of its first argument, or a copy, or reduces it: its other arguments are sizes, dimensions, and indices.
bool looksAtFirstOnly(std::string_view name);

/// The name of what a call calls, as tables of functions have it; empty for what is not PyTorch's.
std::string_view nameOfCall(const TermTable& terms, TermId call);

} // namespace sunder
