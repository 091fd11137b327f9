#pragma once

#include "analysis/alignment/graph_identity.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sunder {

/// The calls of a graph, grouped by the module calls that they run in, for alignment from the top down. Refers to the identity.
struct CallTree {
    /// A call of the graph, or of a module.
    struct Item {
        bool isModule = false;
        std::uint32_t index = 0; ///< of a node, or of a module call
    };

    /// Builds the tree. Linear in nodes and module calls.
    explicit CallTree(const GraphIdentity& identity);
    /// Returns the module call that contains nearly all calls of this one; 0 if there is none.
    [[nodiscard]] std::uint32_t onlyChild(std::uint32_t module) const;

    const GraphIdentity* identity;
    std::vector<std::vector<Item>> items; ///< per module call: its direct items, in order of their first op
    std::vector<std::uint32_t> callCount; ///< per module call: calls of the graph in it, at any depth
    std::vector<std::uint64_t> alike;     ///< per module call: hash of its ops, without module names
    std::vector<std::uint64_t> weights;   ///< per module call: hash of the values of its weights; 0: unknown, or no weights
    std::vector<std::uint64_t> ownWeights; ///< per node: likewise
    std::vector<std::uint64_t> named; ///< like `alike`, with names and weights: equal hashes align identically
    std::vector<std::string> names; ///< per module call: its path relative to the enclosing module
    std::vector<std::uint64_t> kinds; ///< per node: hash of op and target
    std::vector<std::uint32_t> places; ///< per node: number of earlier nodes of its kind in the same module call
    Rows users; ///< per node: its users
};

inline bool isCallOf(const GraphIdentity& identity, std::uint32_t node)
{
    return isCall(identity.nodes[node].op);
}

} // namespace sunder
