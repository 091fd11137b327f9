#pragma once

#include "verify/correspondence.h"
#include "verify/trace.h"

#include <string>
#include <vector>

namespace sunder {

/// What becomes of a program whose tensors lie otherwise in memory.
struct RoundingReach {
    bool isBounded = false;       ///< its results, and what it leaves in memory, change by rounding alone
    std::vector<NodeRef> rounded; ///< of that: the calls that may round otherwise, each once
    NodeRef at;                   ///< otherwise the call that decides; invalid where something else does
    std::string doubt; ///< and what it may do, after its name: "may show how tensors lie in memory"; empty: not known
};

/// Follows tensors that lie otherwise, `places` being where they lie, and what calls may round otherwise for it, through a program.
/// `stridesDiffer`: as of hangsOnLayoutOf(). Says that rounding is all only where every call on the way promises so, see
/// `core/operators/data/rounding.txt`. Linear in steps, a few times over.
RoundingReach roundingReach(std::span<const TermId> places, bool stridesDiffer, const Program& program, Side side, Trace& trace,
                            const TermTable& terms, const Correspondence& correspondence);

} // namespace sunder
