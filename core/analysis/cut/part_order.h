#pragma once

#include "analysis/cut/cut_graph.h"

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

} // namespace sunder
