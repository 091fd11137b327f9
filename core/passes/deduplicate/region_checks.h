#pragma once

#include "analysis/run_order/memory_accesses.h"
#include "analysis/run_order/memory_classes.h"
#include "analysis/run_order/memory_dependencies.h"
#include "passes/deduplicate/group_plan.h"
#include "passes/regions/region_order.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Decides, one region at a time, which regions can be replaced by a call. An accepted region counts as a single step in later
/// checks.
class RegionChecks {
public:
    /// `views`: less conservative than the classes of `accesses`. All arguments must outlive this object.
    RegionChecks(const RankedGraph& graph, const MemoryAccesses& accesses, const MemoryClasses& views,
                 MemoryDependencies& dependencies);

    /// Returns why a region cannot be replaced, or an empty string if it can. `region`: its ranks. `reference`: the ranks of the
    /// group's first region, which defines operands and results.
    std::string check(const GroupPlan& plan, std::span<const std::uint32_t> reference, std::span<const std::uint32_t> region);
    /// Number of accepted regions.
    [[nodiscard]] std::size_t accepted() const { return m_accepted.size(); }
    /// Undoes the latest acceptances until `accepted` regions are left. O(graph + remaining regions).
    void returnTo(std::size_t accepted);

private:
    std::string kinds(const GroupPlan& plan, std::span<const std::uint32_t> reference,
                      std::span<const std::uint32_t> region) const;
    std::string writes(std::span<const std::uint32_t> inner, std::span<const std::uint32_t> operands) const;
    std::string aliases(const GroupPlan& plan, std::span<const std::uint32_t> region, std::span<const std::uint32_t> operands);
    std::string whyUsedAsWhole(std::uint32_t rank, std::span<const Argument> items, std::span<const std::uint32_t> region) const;

    const RankedGraph& m_graph;
    const MemoryAccesses& m_accesses;
    const MemoryClasses& m_views;
    MemoryDependencies& m_dependencies;
    std::optional<ContractedOrder> m_order; ///< always has a value
    std::vector<std::vector<std::uint32_t>> m_accepted; ///< nodes of each accepted region
    std::vector<std::uint32_t> m_seenIn; ///< per memory class: number of the last check that reached it
    std::uint32_t m_check = 0;
};

} // namespace sunder
