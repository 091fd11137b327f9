#pragma once

#include "ir/graph.h"
#include "support/result.h"

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace sunder {

/// An argument of a region: the position of its node in the region, and the index among the nodes in that node's arguments.
struct RegionUse {
    std::uint32_t position;
    std::uint32_t argument;
};

/// Returns the nodes in a node's arguments, including repeats. Empty for an erased node.
std::vector<NodeId> readsOf(const Node& node);

/// The subgraph that PyTorch creates from the first region of a group, with the data for replacing regions.
struct UpstreamSubgraph {
    /// An input of the subgraph: the uses of an outer value, or the places that take items of an outer tuple.
    struct Input {
        std::vector<RegionUse> uses;
        bool isTuple = false;
        std::vector<std::uint32_t> parts;
    };
    Graph graph;
    std::vector<Input> inputs;
    std::vector<NodeId> copies; ///< per place of the region: node of `graph`; a placeholder for an item of an outer tuple
    /// Per place that returns a tuple: path within the tuple → index among the tuple's results.
    std::unordered_map<std::uint32_t, std::map<std::vector<std::int64_t>, std::uint32_t>> tupleResults;
};

/// Arguments of erased nodes. Nodes among them are replaced by None, as in torch.
using ErasedArguments = std::unordered_map<NodeId, std::pair<Arguments, Keywords>>;

/// PyTorch's _create_subgraph: copies a region to a new graph that returns a tuple of results. Like PyTorch, does not check whether
/// the region overlaps an erased one. `outputs`: places whose values leave some region. Returns ErrorCode::refused where PyTorch
/// raises an exception.
Result<UpstreamSubgraph> upstreamSubgraph(const Graph& graph, std::span<const NodeId> region,
                                          std::span<const std::uint32_t> outputs, const ErasedArguments& erased);

} // namespace sunder
