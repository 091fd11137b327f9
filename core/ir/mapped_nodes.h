#pragma once

#include "ir/identity_map.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

enum class Mapped : std::uint8_t {
    all,    ///< also what only carries values over a boundary
    copies, ///< without that
};

/// What stands for these nodes of one graph of the source, given ascending, in their order. O(nodes × log pairs), or O(pairs)
/// for many nodes.
std::vector<NodeRef> resultsOfNodes(const IdentityMap& map, GraphId graph, std::span<const NodeId> nodes,
                                    Mapped which = Mapped::all);

/// The nodes of one graph of the source that these stand for, ascending, each once. O(nodes × log pairs).
std::vector<NodeId> sourcesOfNodes(const IdentityMap& map, GraphId graph, std::span<const NodeRef> results);

} // namespace sunder
