#pragma once

#include "passes/regions/find_regions.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// One place where the regions of a group end, and why they do not reach further there.
struct RegionBoundary {
    enum class Kind : std::uint8_t {
        modelInput,  ///< what lies beyond is an input, a parameter or a buffer of the model
        shared,      ///< several occurrences read one and the same value
        usedOutside, ///< what lies beyond is needed outside, so that the region could not run in one go
        taken,       ///< what lies beyond is in another region
        grownFirst,  ///< what reads the region's result begins earlier in the model, so the region was grown first
        metEarlier,  ///< it would fit now, but was met when the region was smaller
        nearMiss,    ///< beyond, some occurrence is not like the others
        missing,     ///< a node at the same place of another module that the group leaves out
    };
    Kind kind = Kind::modelInput;
    NodeId member;              ///< node of the first region at its border
    NodeId outside;             ///< the node that `why` is about
    std::size_t occurrence = 0; ///< the region of the group that it is about; for `missing` none
    std::string why = {};       ///< a sentence for people without a full stop, with names
    std::optional<std::size_t> otherGroup = {}; ///< for `taken` by a region of another group: which
};

/// Why the regions of one group of a result end where they do: for each value that the first region takes or gives, in
/// the order in which growth meets them, the first reason that holds; then nodes that look as if they ought to begin
/// an occurrence, with the first attribute in which they differ. Refuses a graph that uses a node before it is computed.
/// O(nodes + arguments) for the classes of nodes, and the searches that growth makes too.
Result<std::vector<RegionBoundary>> regionBoundaries(const Program& program, const RegionOptions& options,
                                                     const RegionResult& regions, std::size_t group);

} // namespace sunder
