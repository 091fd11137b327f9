#pragma once

#include "verify/explanation.h"

#include <string>
#include <vector>

namespace sunder {

/// A result of two programs that differs.
struct Difference {
    std::string output; ///< "output 2", "buffer bn.running_mean after the run"
    TermId a;           ///< invalid where no single terms differ
    TermId b;
    std::string how = {}; ///< in words, where no single terms differ
    bool isDoubtful = false; ///< it may come to the same: an assertion that always holds
};

/// Outputs and memory that differ, in their order and not more than a few of each; where these are the same, what else
/// differs first: effects, global state. Nothing when all results are the same. O(results).
std::vector<Difference> findDifferences(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                                        const Correspondence& correspondence);

/// What lies at a place, for people: "input x", "buffer bn.running_mean".
std::string placeName(TermId place, const ExplainedSide& side, Side which, const Correspondence& correspondence,
                      const TermTable& terms);

} // namespace sunder
