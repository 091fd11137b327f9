#pragma once

#include "verify/term_table.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sunder {

/// The first difference between two terms: the innermost pair of calls that differ, and how they differ.
struct Divergence {
    enum class Kind : std::uint8_t {
        call,    ///< different operators, or different numbers of arguments
        operand, ///< different values of argument `argument`
        version, ///< the same memory at different times: a write of one program comes later in the other, or is missing
        writes,  ///< the same memory after different writes, which may have the same effect
        state,   ///< the same call under different global states
        random,  ///< the same call with different random numbers
    } kind = Kind::call;
    TermId callA; ///< the calls that contain the difference; invalid if there is none
    TermId callB;
    std::size_t argument = 0;
    std::vector<std::size_t> items = {}; ///< within that argument: the item of the item … that differs
    TermId a; ///< operand, version, or state in each program; equal if only the memory of results differs
    TermId b;
    bool severalWrites = false; ///< for versions: one is several writes ahead of the common version
    TermId place; ///< for version and writes: place of the memory
    bool mayBeOverwritten = false; ///< the difference is in memory that is written to later, so it may be overwritten
    /// On the path: memory that is read, and the place where the difference was written.
    std::vector<std::pair<TermId, TermId>> places = {};
    std::vector<std::pair<TermId, TermId>> calls = {}; ///< all calls on the path, outermost first
};

/// Finds the first difference by descending from two terms along their first differing children. O(depth · versions).
Divergence findParting(const TermTable& terms, TermId a, TermId b);

/// Returns the call that last wrote to the place of a read, if it wrote to exactly that place; otherwise an invalid id.
TermId writerOfWhole(const TermTable& terms, TermId read);

/// Whether a call has unknown semantics. No two such calls are equal.
bool isOpaqueCall(const TermTable& terms, TermId call);

/// Returns the value of an integer or floating-point literal; nothing for other terms.
std::optional<double> writtenNumber(const TermTable& terms, TermId id);

/// Index of the first argument among the children of a call, after target, state, keywords, random numbers, and closures.
std::size_t firstArgument(const TermTable& terms, TermId call);

/// Returns the versions of memory up to this one, oldest first.
std::vector<TermId> versionsUpTo(const TermTable& terms, TermId version);

} // namespace sunder
