#pragma once

#include "ir/graph.h"
#include "support/result.h"

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace sunder {

/// An argument of a region: which of its nodes, and which among the nodes in that one's arguments.
struct RegionUse {
    std::uint32_t position;
    std::uint32_t argument;
};

/// The nodes in a node's arguments, repeats included. Of an erased node, none.
std::vector<NodeId> readsOf(const Node& node);

/// The subgraph that torch makes of the first region of a group, and what it notes about it for replacing.
struct UpstreamSubgraph {
    /// Where an outer value is used; of a tuple that the region takes apart, which places hold the parts.
    struct Input {
        std::vector<RegionUse> uses;
        bool isTuple = false;
        std::vector<std::uint32_t> parts;
    };
    Graph graph;
    std::vector<Input> inputs;
    std::vector<NodeId> copies; ///< per place of the region: node of `graph`; a placeholder for a part of an input tuple
    /// Per place that returns a tuple: path within the tuple → number among the tuple's results.
    std::unordered_map<std::uint32_t, std::map<std::vector<std::int64_t>, std::uint32_t>> tupleResults;
};

/// Arguments of nodes that were erased, with None in the place of nodes: what torch leaves of them.
using ErasedArguments = std::unordered_map<NodeId, std::pair<Arguments, Keywords>>;

/// torch's _create_subgraph, without its tuple of results as a place to check anything: a region that overlaps an
/// erased one is copied as torch copies it. `outputs`: places whose values leave some region. Refused where torch
/// raises an exception.
Result<UpstreamSubgraph> upstreamSubgraph(const Graph& graph, std::span<const NodeId> region,
                                          std::span<const std::uint32_t> outputs, const ErasedArguments& erased);

} // namespace sunder
