#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Per node id: the identity of its callee or tensor for comparison; equal numbers mean the same object.
using NodeMarks = std::vector<std::uint64_t>;

/// Returns a hash of a graph by positions, operators, targets of functions and attributes, arguments, and marks (per node id;
/// empty: none). Ignores names, targets of modules, and the output. O(nodes + arguments).
std::uint64_t digest(const Graph& graph, const std::vector<std::uint32_t>& positions, const NodeMarks& marks);

/// A graph with the tables needed to compare it.
struct ComparedGraph {
    const Graph& graph;
    const std::vector<std::uint32_t>& positions;
    const NodeMarks& marks;
};

/// Returns whether the graphs are equal in everything that digest() covers. O(nodes + arguments).
bool sameBody(const ComparedGraph& a, const ComparedGraph& b);

/// Returns whether two graphs with equal bodies have equal outputs. O(size of the output).
bool sameOutput(const ComparedGraph& a, const ComparedGraph& b);

} // namespace sunder
