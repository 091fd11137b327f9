#pragma once

#include "verify/symbol_mapping.h"
#include "verify/trace.h"

#include <string>
#include <vector>

namespace sunder {

/// The effect of different memory layouts of tensors on a program.
struct RoundingReach {
    bool isBounded = false;       ///< results and final memory contents differ by rounding only
    std::vector<NodeRef> rounded; ///< if bounded: the calls that may round differently, without duplicates
    NodeRef at;                   ///< otherwise: the call that may have a larger effect; invalid if it is not a call
    std::string doubt; ///< its possible effect, e.g. "may reveal the memory layout of its inputs"; empty if unknown
};

/// Tracks tensors with different memory layouts, at `places`, and the values that round differently because of them.
/// `stridesDiffer`: as for dependsOnLayoutOf(). The effect is bounded only if `core/operators/data/rounding.txt` promises this for
/// every call on the way. Linear in steps, with a few passes.
RoundingReach roundingReach(std::span<const TermId> places, bool stridesDiffer, const Program& program, Side side, Trace& trace,
                            const TermTable& terms, const SymbolMapping& mapping);

} // namespace sunder
