#pragma once

#include "analysis/alignment/graph_identity.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sunder {

/// The calls of a graph by the calls of modules that they run in: what is aligned from above. Refers to the identity.
struct CallTree {
    /// A call of the graph, or of a module.
    struct Item {
        bool isModule = false;
        std::uint32_t index = 0; ///< of a node, or of a module call
    };

    /// Linear in nodes and module calls.
    explicit CallTree(const GraphIdentity& identity);
    /// The module call that runs nearly all of what this one does; 0 where there is none.
    [[nodiscard]] std::uint32_t onlyChild(std::uint32_t module) const;

    const GraphIdentity* identity;
    std::vector<std::vector<Item>> items; ///< per module call: what it runs itself, in the order in which that begins
    std::vector<std::uint32_t> callCount; ///< per module call: calls of the graph in it, at any depth
    std::vector<std::uint64_t> alike;     ///< per module call: hash of what it runs, without the names of modules
    std::vector<std::uint64_t>
        weights;   ///< per module call: hash of the values of the weights that it reads; 0: not known, or none
    std::vector<std::uint64_t> ownWeights; ///< per node: the same
    std::vector<std::uint64_t> named; ///< the same with those names and weights: equal ones align in the same way
    std::vector<std::string> names; ///< per module call: its path below the one around it
    std::vector<std::uint64_t> kinds; ///< per node: hash of op and target
    std::vector<std::uint32_t> places; ///< per node: how many of its kind come before it in its module call
    Rows users; ///< per node: the nodes that read it
};

inline bool isCallOf(const GraphIdentity& identity, std::uint32_t node)
{
    return isCall(identity.nodes[node].op);
}

} // namespace sunder
