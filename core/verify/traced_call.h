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
    bool isSorted = false; ///< keywords stand by name
    std::size_t stated = 0; ///< slots up to the last one that is not what it would be if it were left out: `CallSpelling`

    /// Invalid when there is none.
    [[nodiscard]] ValueId argument(std::size_t position) const
    {
        return position < positional.size() ? positional[position] : ValueId();
    }
    [[nodiscard]] ValueId keyword(std::string_view name) const;
    /// Positional arguments first, then keywords, as `CallFacts` counts them.
    [[nodiscard]] ValueId slot(std::size_t slot) const
    {
        return slot < positional.size() ? positional[slot] : keywords[slot - positional.size()].second;
    }
};

/// The call that a step was written down of, in the spelling that it had.
TracedCall callOf(const Trace& trace, const TermTable& terms, const Step& step);

} // namespace sunder
