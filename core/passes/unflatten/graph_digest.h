#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// What stands for the thing that a node calls or reads in a comparison; equal numbers: the same thing.
using NodeMarks = std::vector<std::uint64_t>;

/// A hash of a graph by positions, operators, targets of functions and attributes, arguments and marks (per node id;
/// empty: none). Names, targets of modules and what the graph returns do not count. O(nodes + arguments).
std::uint64_t digest(const Graph& graph, const std::vector<std::uint32_t>& positions, const NodeMarks& marks);

/// A graph with what is needed to compare it.
struct ComparedGraph {
    const Graph& graph;
    const std::vector<std::uint32_t>& positions;
    const NodeMarks& marks;
};

/// True when the graphs are equal in all that digest() counts. O(nodes + arguments).
bool sameBody(const ComparedGraph& a, const ComparedGraph& b);

/// True when two graphs with equal bodies return the same. O(size of the output).
bool sameOutput(const ComparedGraph& a, const ComparedGraph& b);

} // namespace sunder
