#pragma once

#include "verify/explanation.h"

#include <string>
#include <vector>

namespace sunder {

/// A result that differs between two programs.
struct Difference {
    std::string output; ///< "output 2", "buffer bn.running_mean after the run"
    TermId a; ///< invalid if the difference has no single pair of terms
    TermId b;
    std::string how = {}; ///< in words, if there is no such pair
    bool isDoubtful = false; ///< possibly irrelevant, like an assertion that always holds
};

/// Returns differing outputs, then differing memory, in order and at most a few of each. If these are equal, returns the first
/// difference in effects or global state. Empty if all results are equal. O(results).
std::vector<Difference> findDifferences(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                                        const SymbolMapping& mapping);

/// Returns a readable name of a place: "input x", "buffer bn.running_mean".
std::string placeName(TermId place, const ExplainedSide& side, Side which, const SymbolMapping& mapping, const TermTable& terms);

/// Compares the memory of equal results of two programs: whether they share memory with each other, with inputs, or with weights,
/// or are copied into another tensor. Returns the first difference as half a sentence; empty if there is none. Follows only calls
/// that always return views. O(steps + results).
std::string sharedOtherwise(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms, const SymbolMapping& mapping);

} // namespace sunder
