#pragma once

#include "ir/ids.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// Regions that are copies of each other, of equal length.
struct RegionGroup {
    std::uint32_t length = 0;  ///< nodes in each region
    std::vector<NodeId> nodes; ///< concatenated regions; each in graph order of the first one

    [[nodiscard]] std::size_t regionCount() const { return length == 0 ? 0 : nodes.size() / length; }
    [[nodiscard]] std::span<const NodeId> region(std::size_t at) const { return std::span(nodes).subspan(at * length, length); }
};

/// A region found by growth that cannot share a subgraph with the others of its group.
struct RejectedRegion {
    std::vector<NodeId> nodes;
    std::string why; ///< a readable sentence that names nodes
};

/// The repeated regions of a program's root graph.
struct RegionResult {
    std::vector<RegionGroup> groups; ///< sorted by earliest root in the graph, last first
    std::vector<RejectedRegion> rejected;
};

} // namespace sunder
