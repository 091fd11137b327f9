#pragma once

#include "verify/explanation.h"

#include <optional>
#include <string>

namespace sunder {

/// The first results of two programs that differ, in the order: outputs, memory, effects, global state.
struct Difference {
    std::string output; ///< "output 2", "buffer bn.running_mean after the run"
    TermId a;           ///< invalid where no single terms differ
    TermId b;
    std::string how = {}; ///< in words, where no single terms differ
};

/// Nothing when all results are the same. O(results).
std::optional<Difference> findDifference(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                                         const Correspondence& correspondence);

/// What lies at a place, for people: "input x", "buffer bn.running_mean".
std::string placeName(TermId place, const ExplainedSide& side, Side which, const Correspondence& correspondence,
                      const TermTable& terms);

} // namespace sunder
