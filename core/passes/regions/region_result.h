#pragma once

#include "ir/ids.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// Regions that repeat each other: of equal length, node for node.
struct RegionGroup {
    std::uint32_t length = 0;  ///< nodes in each region
    std::vector<NodeId> nodes; ///< region after region; each in graph order of the first one

    [[nodiscard]] std::size_t regionCount() const { return length == 0 ? 0 : nodes.size() / length; }
    [[nodiscard]] std::span<const NodeId> region(std::size_t at) const { return std::span(nodes).subspan(at * length, length); }
};

/// A region that growth found but that may not share a subgraph with the others of its group.
struct RejectedRegion {
    std::vector<NodeId> nodes;
    std::string why; ///< a sentence for people that names nodes
};

/// The repeated regions of a program's root graph.
struct RegionResult {
    std::vector<RegionGroup> groups; ///< the group whose earliest root comes last in the graph first
    std::vector<RejectedRegion> rejected;
};

} // namespace sunder
