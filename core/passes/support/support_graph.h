#pragma once

#include "ir/program.h"
#include "support/rows.h"
#include "support/strong_components.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// The root graph as arrays over positions in graph order, for tagging by support.
struct SupportGraph {
    explicit SupportGraph(const Program& program);

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(nodes.size()); }

    const Graph& graph;
    std::vector<NodeId> nodes;
    Rows users;  ///< distinct, in torch.fx's order
    Rows inputs; ///< distinct, by first appearance
    std::vector<char> isCall;
    std::vector<char> isGetitem;
    std::vector<char> isTensor;    ///< the value is a tensor
    std::vector<char> holdsTensor; ///< the value is or contains a tensor
    std::vector<std::uint64_t> bytes; ///< of the value, see knownBytes()
};

/// The parts of a graph in execution order.
struct SupportParts {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::vector<char> isAccelerator; ///< per part
    std::vector<std::uint32_t> partOf; ///< per position; kNone for nodes that are not ops
};

/// Finds the groups that depend on each other. `groupOf` per position, kNone outside of groups. The nodes of the components are the
/// groups by number, then the positions of all other nodes. O(nodes + edges).
StrongComponents componentsOf(const SupportGraph& graph, std::span<const std::uint32_t> groupOf, std::size_t groups);

} // namespace sunder
