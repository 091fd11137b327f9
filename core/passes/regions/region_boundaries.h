#pragma once

#include "passes/regions/find_regions.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// A place where the regions of a group end, and the reason why they do not extend further.
struct RegionBoundary {
    enum class Kind : std::uint8_t {
        modelInput,  ///< the next node is an input, parameter or buffer of the model
        shared,      ///< several occurrences use the same value
        usedOutside, ///< the next node is needed outside, so that the region could not run as one step
        taken,       ///< the next node is in another region
        grownFirst,  ///< regions of the consumer's kind start earlier in the model, so this region was grown first
        metEarlier,  ///< it would fit now, but was tried when the region was smaller
        nearMiss,    ///< the next node of some occurrence differs from the others
        missing,     ///< a node at the same place of another module that is not in the group
    };
    Kind kind = Kind::modelInput;
    NodeId member;              ///< node of the first region at the boundary
    NodeId outside;             ///< the node that `why` describes
    std::size_t occurrence = 0; ///< the region of the group that `why` describes; unused for `missing`
    std::string why = {};       ///< a readable sentence with names, without a full stop
    std::optional<std::size_t> otherGroup = {}; ///< for `taken`: the other group, if the region belongs to one
};

/// Explains why the regions of one group of a result end where they do. For each input and result of the first region, in the
/// order of growth, gives the first reason that applies. Then lists nodes that look like further occurrences, with the first
/// attribute in which they differ. Refuses a graph that uses a node before its definition. O(nodes + arguments) for node classes,
/// plus the searches that growth makes.
Result<std::vector<RegionBoundary>> regionBoundaries(const Program& program, const RegionOptions& options,
                                                     const RegionResult& regions, std::size_t group);

} // namespace sunder
