#pragma once

#include "ir/graph.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// torch's node_to_additional_deps: for each node, the ordered set of nodes that must run before it. Covers users of values that
/// a node writes to, and all nodes around entering and leaving autocast. The order of each set is torch's, because torch's sort
/// depends on it.
class UpstreamDependencies {
public:
    /// Refuses a graph with so many autocast nodes that the sets would exceed 200 million entries.
    static Result<UpstreamDependencies> of(const Graph& graph);

    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const
    {
        return node < m_sets.size() ? std::span<const std::uint32_t>(m_sets[node]) : std::span<const std::uint32_t>();
    }
    /// Replaces an erased node by `call`: removes its set, and in all other sets removes it and appends `call`. O(size of those
    /// sets).
    void replace(std::uint32_t node, std::uint32_t call);

private:
    void add(std::uint32_t node, std::uint32_t needed);
    void addWrites(const Graph& graph);
    void addAutocast(const Graph& graph);

    std::vector<std::vector<std::uint32_t>> m_sets;    ///< per node
    std::vector<std::vector<std::uint32_t>> m_holders; ///< per node: the nodes whose sets contain it, or did
};

} // namespace sunder
