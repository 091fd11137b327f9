#pragma once

#include "ir/identity_map.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

enum class Mapped : std::uint8_t {
    all,    ///< including nodes that only carry values across a boundary
    copies, ///< without those
};

/// Returns the results that correspond to nodes of one source graph, given in ascending order. O(nodes × log pairs), or O(pairs)
/// for many nodes.
std::vector<NodeRef> resultsOfNodes(const IdentityMap& map, GraphId graph, std::span<const NodeId> nodes,
                                    Mapped which = Mapped::all);

/// Returns the nodes of one source graph that correspond to these results, ascending and without duplicates. O(nodes × log
/// pairs).
std::vector<NodeId> sourcesOfNodes(const IdentityMap& map, GraphId graph, std::span<const NodeRef> results);

} // namespace sunder
