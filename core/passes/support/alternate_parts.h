#pragma once

#include "passes/support/fusion_groups.h"

#include <variant>

namespace sunder {

/// The parts of the splitter as lists of positions, in execution order.
struct AlternatingParts {
    std::vector<char> isAccelerator;
    std::vector<std::vector<std::uint32_t>> nodes; ///< may contain the output
};

/// A waiting node that cannot be placed, since fusion groups overlap or depend on each other.
struct StuckNode {
    std::uint32_t at = 0;
};

/// Places nodes as PyTorch's splitter does: all that are ready on one side, then all that are ready on the other. `isAccelerator` per
/// position. With `startsWithFunctions`, modules and methods without inputs do not start. O((nodes + edges) log nodes).
std::variant<AlternatingParts, StuckNode> alternateParts(const SupportGraph& graph, const std::vector<char>& isAccelerator,
                                                         const FusionGroups& fusions, bool startsWithFunctions);

} // namespace sunder
