#pragma once

#include "operators/number_functions.h"
#include "verify/explanation.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sunder {

/// The numbers that a tensor can hold, judging by its dtype.
enum class Numbers : std::uint8_t {
    free,      ///< an undescribed input, which can be float32
    floats,    ///< float32, float64, bfloat16, and Python numbers
    halves,    ///< float16
    complexes, ///< complex64, complex128
    integers,  ///< int16 and wider
    bytes,     ///< int8, uint8
    unknown,   ///< one of the above, or bool
    others,    ///< bool, quantized and sparse tensors, and everything else that few functions accept
};

/// Facts about the values of terms, derived from descriptions in the files.
class ValueFacts {
public:
    ValueFacts(const ExplainedSide& first, const ExplainedSide& second, const TermTable& terms, const SymbolMapping& mapping);

    /// Whether a tensor has at least one element for some input, so that it depends on its numbers. True for values that are not
    /// tensors. An undescribed value has elements if it is computed elementwise, by a product, or as a view of all elements.
    /// O(terms).
    bool hasElements(TermId term);
    /// Whether nothing shows that the result of a call has no elements: no description and no size of 0. O(terms).
    bool isNotEmpty(TermId call);
    /// Returns the kind of numbers of a value, derived through elementwise calls if necessary. O(terms).
    Numbers numbersOf(TermId term);
    /// Whether a value is certainly not a list, tuple, or dict. O(depth).
    [[nodiscard]] bool isNoContainer(TermId term) const;
    /// Whether the effect of a number in arithmetic depends only on its value: it is neither lost in rounding nor changed by
    /// integer overflow. `numbers`: those of the other operand.
    [[nodiscard]] bool isPlainNumber(TermId number, Numbers numbers) const;
    /// Returns the sizes of a tensor; nothing if they are unknown or symbolic.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> sizesOf(TermId term) const;

private:
    [[nodiscard]] std::vector<const Argument*> descriptions(TermId term) const;
    [[nodiscard]] std::vector<const TensorMeta*> tensors(TermId term) const;
    [[nodiscard]] bool hasElementsByParts(TermId term) const;
    [[nodiscard]] Numbers numbersByParts(TermId term) const;

    const ExplainedSide& m_first;
    const ExplainedSide& m_second;
    const TermTable& m_terms;
    bool m_takesLeaves; ///< inputs are leaves, as in exported programs
    std::unordered_map<std::uint64_t, std::vector<const Argument*>> m_inputs;
    std::unordered_map<TermId, const TensorMeta*> m_tensors;
    std::vector<bool> m_elements; ///< by TermId, computed on demand
    std::vector<Numbers> m_numbers; ///< by TermId, computed on demand
};

/// Whether a call is a view or copy of its first argument, or reduces it. Its other arguments are sizes, dimensions, and indices.
bool dependsOnFirstOnly(std::string_view name);

/// Returns the name of a called function as in the function tables; empty if it is not a PyTorch function.
std::string_view nameOfCall(const TermTable& terms, TermId call);

} // namespace sunder
