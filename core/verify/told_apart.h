#pragma once

#include "verify/parting.h"
#include "verify/value_facts.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

/// What is known to compute different things. Of two calls of different operators that is rarely known: one may be another
/// way to say the other, or give the same on just these operands. It is of functions of numbers (`NumberFunction`) on
/// operands that can be any numbers.
class ToldApart {
public:
    ToldApart(const ExplainedSide& first, const ExplainedSide& second, const TermTable& terms,
              const Correspondence& correspondence);

    /// Two calls of such functions on the same operands. O(terms) for the first
    /// that asks.
    bool calls(TermId a, TermId b);
    /// A call and an input that it does not look at, or is such a function of; or a call that inputs can make any number of,
    /// and a tensor or a number that is always the same. O(terms).
    bool callAndOther(TermId call, TermId other);
    /// What memory holds at two times, when one of the programs writes to it in between for sure. What only may lie in the
    /// same memory does not count, nor do parts of a tensor that may lie beside each other. `atEnd`: behind all calls, so that writes
    /// that both make do not count either. O(writes).
    [[nodiscard]] bool versions(TermId place, TermId a, TermId b, bool atEnd);
    /// Whether a difference is seen in the result: what differs has elements, is part of what the first `calls` calls on the way
    /// read, and is not multiplied by what may be zero. Calls are outermost first, and each differs in one argument. O(terms).
    [[nodiscard]] bool isSeen(const Parting& parting, std::size_t calls);
    /// Whether all random numbers that only one of two programs draws are drawn for sure. O(terms).
    [[nodiscard]] bool drawsMore(TermId a, TermId b);
    /// Whether a number decides alone what it does in a call of arithmetic.
    [[nodiscard]] bool isPlainNumber(TermId call, TermId number);

private:
    /// A call of a function of numbers; none where it is no such call.
    struct Applied {
        const NumberFunction* function = nullptr;
        std::span<const TermId> operands;
    };

    Applied applied(TermId call);
    const NumberFunction* functionOf(TermId call);
    /// Whether the operands can be any numbers, except for plain numbers that are written there; `isSpecial` says of which nothing
    /// is known.
    template <typename IsSpecial>
    bool areAnyNumbers(const Applied& call, IsSpecial isSpecial);
    /// Whether a term can be any number, and whether from run to run.
    enum class Any : std::uint8_t { no, once, always };
    Any anyNumber(TermId term);
    Any anyNumberOf(TermId term);
    Any anyNumberOfCall(TermId call);
    [[nodiscard]] Any mostOf(std::span<const TermId> terms) const;
    /// The most of the terms that hold numbers; `no` if one of these can not be any.
    [[nodiscard]] Any allOf(std::span<const TermId> terms) const;
    [[nodiscard]] bool isLiteral(TermId term) const;
    [[nodiscard]] Numbers numbersOf(std::span<const TermId> operands);
    [[nodiscard]] bool handsOn(TermId a, TermId b, bool& isWhole);
    [[nodiscard]] bool readsInput(TermId convolution) const;
    [[nodiscard]] bool isWholeOf(TermId view, TermId place) const;
    [[nodiscard]] bool isComputedFrom(TermId term, TermId input) const;
    [[nodiscard]] std::vector<TermId> viewsDownTo(TermId place) const;
    /// Whether a version of memory holds something else than the version before, at least of some numbers.
    bool isChange(TermId version);
    [[nodiscard]] bool overlap(TermId one, TermId other) const;

    const ExplainedSide& m_first;
    const ExplainedSide& m_second;
    const TermTable& m_terms;
    ValueFacts m_values;
    std::unordered_set<TermId> m_parameters; ///< tensors that hold what a model learned, so anything
    std::unordered_set<TermId> m_constants; ///< tensors that are neither parameters nor buffers
    std::vector<Any> m_any; ///< by term, as far as was asked
    std::unordered_map<TermId, const NumberFunction*> m_functions; ///< by target
};

} // namespace sunder
