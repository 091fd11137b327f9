#pragma once

#include "verify/divergence.h"
#include "verify/value_facts.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

/// Decides which terms certainly compute different values.
///
/// Calls of different operators rarely qualify: one may be another form of the other, or give the same result for these operands.
/// They qualify if they are functions of numbers (`NumberFunction`) whose operands can take any value.
class DistinguishableTerms {
public:
    DistinguishableTerms(const ExplainedSide& first, const ExplainedSide& second, const TermTable& terms,
                         const SymbolMapping& mapping);

    /// Whether two such calls on the same operands differ. O(terms) for the first query.
    bool calls(TermId a, TermId b);
    /// Whether a call and another term differ. They do if the other term is an input that the call does not depend on or applies
    /// such a function to, or if inputs can make the call return any number and the other term is a fixed tensor or number.
    /// O(terms).
    bool callAndOther(TermId call, TermId other);
    /// Whether the contents of memory differ between two versions because one of the programs certainly writes to it in between.
    /// Excludes memory that may or may not overlap, and parts of a tensor that may be disjoint. `atEnd`: after all calls, so that
    /// writes made by both programs do not count either. O(writes).
    [[nodiscard]] bool versions(TermId place, TermId a, TermId b, bool atEnd);
    /// Whether a difference is visible in the result: the differing value has elements, is read by the first `calls` calls on the
    /// path, and is not multiplied by a value that may be zero. Calls are outermost first, and each differs in one argument.
    /// O(terms).
    [[nodiscard]] bool isSeen(const Divergence& parting, std::size_t calls);
    /// Whether all random numbers that only one of the programs draws are certainly drawn. O(terms).
    [[nodiscard]] bool drawsMore(TermId a, TermId b);
    /// Whether the effect of a number in an arithmetic call depends only on its value.
    [[nodiscard]] bool isPlainNumber(TermId call, TermId number);

private:
    /// A call of a function of numbers; `function` is null for other calls.
    struct Applied {
        const NumberFunction* function = nullptr;
        std::span<const TermId> operands;
    };

    Applied applied(TermId call);
    const NumberFunction* functionOf(TermId call);
    /// Whether the operands can take any value, except for literal numbers. Returns false if `isSpecial` is true for a literal,
    /// because nothing is known then.
    template <typename IsSpecial>
    bool areAnyNumbers(const Applied& call, IsSpecial isSpecial);
    /// Whether a term can be any number, and whether it can change between runs.
    enum class Any : std::uint8_t { no, once, always };
    Any anyNumber(TermId term);
    Any anyNumberOf(TermId term);
    Any anyNumberOfCall(TermId call);
    [[nodiscard]] Any mostOf(std::span<const TermId> terms) const;
    /// Returns the maximum over the terms that contain numbers; `no` if one of these cannot be any number.
    [[nodiscard]] Any allOf(std::span<const TermId> terms) const;
    [[nodiscard]] bool isLiteral(TermId term) const;
    [[nodiscard]] Numbers numbersOf(std::span<const TermId> operands);
    [[nodiscard]] bool propagates(TermId a, TermId b, bool& isWhole);
    [[nodiscard]] bool readsInput(TermId convolution) const;
    [[nodiscard]] bool isWholeOf(TermId view, TermId place) const;
    [[nodiscard]] bool isComputedFrom(TermId term, TermId input) const;
    [[nodiscard]] std::vector<TermId> viewsDownTo(TermId place) const;
    /// Whether a version of memory has different contents than the previous version, at least for some numbers.
    bool isChange(TermId version);
    [[nodiscard]] bool overlap(TermId one, TermId other) const;

    const ExplainedSide& m_first;
    const ExplainedSide& m_second;
    const TermTable& m_terms;
    ValueFacts m_values;
    std::unordered_set<TermId> m_parameters; ///< tensors with learned contents, so any values are possible
    std::unordered_set<TermId> m_constants; ///< tensors that are neither parameters nor buffers
    std::vector<Any> m_any; ///< by TermId, computed on demand
    std::unordered_map<TermId, const NumberFunction*> m_functions; ///< by target
};

} // namespace sunder
