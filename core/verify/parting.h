#pragma once

#include "verify/term_table.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sunder {

/// Where two terms part: the deepest pair of calls that differ, and how.
struct Parting {
    enum class Kind : std::uint8_t {
        call,    ///< other operators, or another number of arguments
        operand, ///< argument `argument` is another value
        version, ///< the same memory, seen at other times: one program makes a write that the other makes later, or not
        writes,  ///< the same memory after other writes, which may come to the same
        state,   ///< the same call under another global state
        random,  ///< the same call with other random numbers
    } kind = Kind::call;
    TermId callA; ///< the calls that enclose what differs; invalid when nothing does
    TermId callB;
    std::size_t argument = 0;
    std::vector<std::size_t> items = {}; ///< within that argument: the item of the item … that differs
    TermId a; ///< operand, version or state of each; equal where only the memory differs that results lie in
    TermId b;
    bool severalWrites = false; ///< of versions: one of them is more than one write behind what both have
    TermId place; ///< version, writes: where the memory lies
    bool mayBeOverwritten = false; ///< what differs lies in memory that was written to after, so it may be gone
    std::vector<std::pair<TermId, TermId>> places = {}; ///< on the way: memory that is read, and where what differs was written
    std::vector<std::pair<TermId, TermId>> calls = {}; ///< all the calls on the way, the outermost first
};

/// Goes down from two terms that differ, along their first differing children. O(depth · versions).
Parting findParting(const TermTable& terms, TermId a, TermId b);

/// The call that wrote last to what a read of memory sees, when it wrote to just that; else invalid.
TermId writerOfWhole(const TermTable& terms, TermId read);

/// Whether a call is of what nobody knows: no two such calls are the same.
bool isOpaqueCall(const TermTable& terms, TermId call);

/// An integer or a floating-point number that is written in a program; nothing for all else.
std::optional<double> writtenNumber(const TermTable& terms, TermId id);

/// Place of the first argument among the children of a call: behind target, state, keywords, random numbers and closures.
std::size_t firstArgument(const TermTable& terms, TermId call);

/// Versions of memory up to this one, from the oldest.
std::vector<TermId> versionsUpTo(const TermTable& terms, TermId version);

} // namespace sunder
