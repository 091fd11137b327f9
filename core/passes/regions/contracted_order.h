#pragma once

#include "passes/regions/order_constraints.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sunder {

/// An order in which a graph can run while more and more of its regions are one step each: does making one of them a
/// single step close a loop? After Pearce and Kelly (2007), with regions merged instead of edges added: only the part of
/// the order between a region's first and last node is searched, and only what hangs on the region is moved.
class ContractedOrder {
public:
    /// `constraints` adds its edges to those of the arguments. Both outlive this.
    ContractedOrder(const RankedGraph& graph, const OrderConstraints& constraints);

    /// A node outside of a region that needs it, and a node of the region that needs that one.
    struct Loop {
        std::uint32_t outside;
        std::uint32_t inside;
    };

    /// Makes the region one step, unless that closes a loop, which is then returned. None of its nodes may be part of
    /// a step already. O(nodes between its first and last one that need it or that it needs, and their edges).
    std::optional<Loop> contract(std::span<const std::uint32_t> region);
    /// Takes the last contract() back.
    void undo();

private:
    using Unit = std::uint32_t; ///< a rank, or size() + number of a step

    [[nodiscard]] Unit unitOf(std::uint32_t rank) const { return m_unit[rank]; }
    [[nodiscard]] std::span<const std::uint32_t> membersOf(const Unit& unit) const;
    template <bool Forward, typename Visit>
    bool forEachNeighbour(std::span<const std::uint32_t> members, const Visit& visit) const;
    std::optional<Loop> findAfter(std::span<const std::uint32_t> region, std::uint32_t last);
    void findBefore(std::span<const std::uint32_t> region, std::uint32_t first);
    void place(std::span<const std::uint32_t> region);

    const RankedGraph& m_graph;
    const OrderConstraints& m_constraints;
    std::vector<Unit> m_unit;               ///< per rank
    std::vector<std::uint32_t> m_place;     ///< per unit: where it stands
    std::vector<std::uint32_t> m_members;   ///< of all steps, one after the other
    std::vector<std::uint32_t> m_begin;     ///< per step: into m_members; one more at the end
    std::vector<std::uint32_t> m_visited;   ///< per unit: number of the search that met it
    std::vector<std::uint32_t> m_isInside;  ///< per rank: number of the search about whose region it is
    std::uint32_t m_search = 0;
    std::vector<Unit> m_before; ///< what the region needs, and
    std::vector<Unit> m_after;  ///< what needs it, in the part that is searched
};

} // namespace sunder
