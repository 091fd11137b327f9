#pragma once

#include "passes/deduplicate/group_plan.h"
#include "passes/deduplicate/run_order.h"
#include "passes/regions/contracted_order.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Decides which regions may be replaced by a call, one after the other: an accepted one is a single step from then on.
class RegionChecks {
public:
    RegionChecks(const RankedGraph& graph, const MemoryClasses& memory, const MemoryClasses& views, RunOrder& order);

    /// Why a region may not be replaced; empty when it may. `region`: ranks; the first region of the group, `reference`,
    /// says what operands and results are.
    std::string check(const GroupPlan& plan, std::span<const std::uint32_t> reference, std::span<const std::uint32_t> region);
    /// How many regions were accepted.
    [[nodiscard]] std::size_t accepted() const { return m_accepted.size(); }
    /// Takes the last ones back, until so many are left. O(graph + regions that are left).
    void returnTo(std::size_t accepted);

private:
    std::string kinds(const GroupPlan& plan, std::span<const std::uint32_t> reference,
                      std::span<const std::uint32_t> region) const;
    std::string writes(std::span<const std::uint32_t> inner, std::span<const std::uint32_t> operands) const;
    std::string aliases(const GroupPlan& plan, std::span<const std::uint32_t> region, std::span<const std::uint32_t> operands);
    std::string takenWhole(std::uint32_t rank, std::span<const Argument> items, std::span<const std::uint32_t> region) const;

    const RankedGraph& m_graph;
    const MemoryClasses& m_memory;
    const MemoryClasses& m_views; ///< less cautious
    RunOrder& m_run;
    std::optional<ContractedOrder> m_order; ///< never empty
    std::vector<std::vector<std::uint32_t>> m_accepted; ///< the nodes that went into each subgraph
    std::vector<std::uint32_t> m_seenIn; ///< per memory class: number of the check that met it last
    std::uint32_t m_check = 0;
};

} // namespace sunder
