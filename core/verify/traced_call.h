#pragma once

#include "verify/trace.h"

#include <string_view>
#include <utility>
#include <vector>

namespace sunder {

/// The arguments of one call.
struct TracedCall {
    std::vector<ValueId> positional;
    std::vector<std::pair<InternedString, ValueId>> keywords;
    bool isSorted = false; ///< keywords are sorted by name
    std::size_t stated = 0; ///< number of slots up to the last one that differs from its default: `CallCanonicalizer`

    /// Returns an argument; invalid if there is none.
    [[nodiscard]] ValueId argument(std::size_t position) const
    {
        return position < positional.size() ? positional[position] : ValueId();
    }
    [[nodiscard]] ValueId keyword(std::string_view name) const;
    /// Returns the argument in a slot. Positional arguments come before keywords, as in `CallFacts`.
    [[nodiscard]] ValueId slot(std::size_t slot) const
    {
        return slot < positional.size() ? positional[slot] : keywords[slot - positional.size()].second;
    }
};

/// Returns the canonical call that a step was created from.
TracedCall callOf(const Trace& trace, const TermTable& terms, const Step& step);

} // namespace sunder
