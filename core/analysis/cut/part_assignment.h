#pragma once

#include "analysis/cut/cut_graph.h"
#include "analysis/tag_assignment.h"
#include "ir/identity_map.h"

namespace sunder {

/// Returns whether an earlier part `to` consumes a value of part `from`.
constexpr bool isBackward(std::int32_t from, std::int32_t to)
{
    return to >= 0 && from > to;
}

/// Returns the number of backward edges. O(arguments).
std::size_t backwardEdgeCount(const CutGraph& graph, const std::vector<std::int32_t>& partOf);

/// Returns whether the parts have an order without backward edges, that is, no cyclic dependencies. O(arguments + parts).
bool partsCanBeOrdered(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::size_t parts);

/// Returns the cut made by a pass as tags of the source. `order` names the modules called by the root graph of `split`, in
/// execution order. A source call is in the part whose graph has its copy (the first of several); calls without a copy stay
/// untagged. This makes metrics, previews and comparisons work for all passes that cut: by tags, by a partition per node, by
/// devices. O(nodes + pairs).
TagAssignment partAssignment(const Program& source, const Program& split, const IdentityMap& map);

} // namespace sunder
