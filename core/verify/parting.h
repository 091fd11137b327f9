#pragma once

#include "verify/term_table.h"

#include <cstdint>

namespace sunder {

/// Where two terms part: the deepest pair of calls that differ, and how.
struct Parting {
    enum class Kind : std::uint8_t {
        call,    ///< other operators, or another number of arguments
        operand, ///< argument `argument` is another value
        version, ///< the same memory, seen at other times
        state,   ///< the same call under another global state
        random,  ///< the same call with other random numbers
    } kind = Kind::call;
    TermId callA; ///< the calls that enclose what differs; invalid when nothing does
    TermId callB;
    std::size_t argument = 0;
    TermId a; ///< operand, version or state of each
    TermId b;
    TermId place; ///< version: where the memory lies
};

/// Goes down from two terms that differ, along their first differing children. O(depth).
Parting findParting(const TermTable& terms, TermId a, TermId b);

} // namespace sunder
