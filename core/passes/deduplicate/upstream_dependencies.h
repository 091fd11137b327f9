#pragma once

#include "ir/graph.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// torch's node_to_additional_deps: for each node an ordered set of others that must run before it. Users of a value
/// that a node writes to, and everything around entering and leaving autocast; in torch's order, which its sort looks at.
class UpstreamDependencies {
public:
    /// Refuses a graph with so many autocast nodes that the sets would hold more than 200 million entries.
    static Result<UpstreamDependencies> of(const Graph& graph);

    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const
    {
        return node < m_sets.size() ? std::span<const std::uint32_t>(m_sets[node]) : std::span<const std::uint32_t>();
    }
    /// A node is gone: its own set goes, and every set that holds it holds `call`, at its end, instead. O(those sets).
    void replace(std::uint32_t node, std::uint32_t call);

private:
    void add(std::uint32_t node, std::uint32_t needed);
    void addWrites(const Graph& graph);
    void addAutocast(const Graph& graph);

    std::vector<std::vector<std::uint32_t>> m_sets;    ///< per node
    std::vector<std::vector<std::uint32_t>> m_holders; ///< per node: whose sets hold it, or held it
};

} // namespace sunder
