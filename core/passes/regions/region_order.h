#pragma once

#include "analysis/run_order/memory_dependencies.h"
#include "analysis/run_order/ranked_graph.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sunder {

/// Returns the dependencies recorded in a file. `mutated` records writes to a value, which affect every value in the same storage.
/// Known setters of global state (autocast, grad and inference mode, default dtype, determinism, hooks) keep their position among
/// all calls. O(nodes + arguments + size of `val`).
MemoryDependencies recordedOrder(const RankedGraph& graph);

/// A topological order of a graph in which regions are contracted one after the other. Answers whether contracting a region to a
/// single step creates a cycle. After Pearce and Kelly (2007), with contractions instead of edge insertions: only the part of the
/// order between the region's first and last node is searched, and only ancestors and descendants of the region move.
class ContractedOrder {
public:
    /// `dependencies` adds its edges to the data flow. Both arguments must outlive this object.
    ContractedOrder(const RankedGraph& graph, const MemoryDependencies& dependencies);

    /// A cycle: a node outside the region that needs it, and a node of the region that needs that one.
    struct Loop {
        std::uint32_t outside;
        std::uint32_t inside;
    };

    /// Contracts the region to one step, unless that creates a cycle, which is then returned. None of its nodes may be part of a
    /// step already. O(nodes between its first and last node that are ancestors or descendants of the region, and their edges).
    std::optional<Loop> contract(std::span<const std::uint32_t> region);
    /// Undoes the last contract().
    void undo();

private:
    using Unit = std::uint32_t; ///< a rank, or size() + index of a step

    [[nodiscard]] Unit unitOf(std::uint32_t rank) const { return m_unit[rank]; }
    [[nodiscard]] std::span<const std::uint32_t> membersOf(const Unit& unit) const;
    template <bool Forward, typename Visit>
    bool forEachNeighbor(std::span<const std::uint32_t> members, const Visit& visit) const;
    std::optional<Loop> findAfter(std::span<const std::uint32_t> region, std::uint32_t last);
    void findBefore(std::span<const std::uint32_t> region, std::uint32_t first);
    void place(std::span<const std::uint32_t> region);

    const RankedGraph& m_graph;
    const MemoryDependencies& m_dependencies;
    std::vector<Unit> m_unit; ///< per rank: its unit
    std::vector<std::uint32_t> m_place; ///< per unit: its position
    std::vector<std::uint32_t> m_members; ///< of all steps, concatenated
    std::vector<std::uint32_t> m_begin; ///< per step: start in m_members; one extra entry at the end
    std::vector<std::uint32_t> m_visited; ///< per unit: number of the last search that reached it
    std::vector<std::uint32_t> m_isInside; ///< per rank: number of the last search for a region that contains it
    std::uint32_t m_search = 0;
    std::vector<Unit> m_before; ///< ancestors of the region, and
    std::vector<Unit> m_after; ///< descendants of the region, within the searched part
};

} // namespace sunder
