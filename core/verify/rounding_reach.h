#pragma once

#include "verify/correspondence.h"
#include "verify/trace.h"

#include <string>
#include <vector>

namespace sunder {

/// The effect of other memory layouts of tensors on a program.
struct RoundingReach {
    bool isBounded = false;       ///< results, and final contents of memory, differ by rounding only
    std::vector<NodeRef> rounded; ///< if bounded: the calls that may round differently, without repeats
    NodeRef at;                   ///< otherwise: the call that may do more; invalid if it is no call
    std::string doubt; ///< its possible effect: "may reveal the memory layout of its inputs"; empty if not known
};

/// Follows tensors with other memory layouts, given by their `places`, and the values that round differently because of them.
/// `stridesDiffer`: as for hangsOnLayoutOf(). The effect is bounded only if every call on the way promises that in
/// `core/operators/data/rounding.txt`. Linear in steps, a few times over.
RoundingReach roundingReach(std::span<const TermId> places, bool stridesDiffer, const Program& program, Side side, Trace& trace,
                            const TermTable& terms, const Correspondence& correspondence);

} // namespace sunder
