#pragma once

#include "analysis/cut/cut_graph.h"

namespace sunder {

/// True when a value made in part `from` is read in an earlier part `to`.
constexpr bool isBackward(std::int32_t from, std::int32_t to)
{
    return to >= 0 && from > to;
}

/// Edges that run backwards. O(arguments).
std::size_t backwardEdgeCount(const CutGraph& graph, const std::vector<std::int32_t>& partOf);

/// True when some order of the parts makes every edge run forwards: no circle of parts. O(arguments + parts).
bool partsCanBeOrdered(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::size_t parts);

} // namespace sunder
