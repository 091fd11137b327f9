#pragma once

#include "analysis/run_order/call_effects.h"
#include "analysis/run_order/memory_classes.h"
#include "passes/deduplicate/group_plan.h"
#include "passes/regions/contracted_order.h"
#include "passes/regions/order_constraints.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Runtime order of nodes that does not follow from data flow. Includes the order recorded in `mutated`, and the known effects of
/// operators: in-place writes, random numbers, assertions, prints, and changes of global state.
struct MemoryDependencies {
    OrderConstraints constraints;
    std::vector<std::vector<std::uint32_t>> written; ///< per rank: inputs that the node writes to
    std::vector<char> writesBuffers; ///< per rank: writes to tensors of modules or graphs that it calls
};

/// Computes the runtime order. Fails with ErrorCode::cancelled. O(nodes + arguments + tensors of called modules).
Result<MemoryDependencies> runOrder(const Program& program, const RankedGraph& graph, const MemoryClasses& memory,
                                    ProgressMonitor& monitor);

/// Decides, one region at a time, which regions can be replaced by a call. An accepted region counts as a single step in later
/// checks.
class RegionChecks {
public:
    RegionChecks(const RankedGraph& graph, const MemoryClasses& memory, const MemoryClasses& views, MemoryDependencies& order);

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
    std::string takenWhole(std::uint32_t rank, std::span<const Argument> items, std::span<const std::uint32_t> region) const;

    const RankedGraph& m_graph;
    const MemoryClasses& m_memory;
    const MemoryClasses& m_views; ///< less conservative than m_memory
    MemoryDependencies& m_run;
    std::optional<ContractedOrder> m_order; ///< always has a value
    std::vector<std::vector<std::uint32_t>> m_accepted; ///< nodes of each accepted region
    std::vector<std::uint32_t> m_seenIn; ///< per memory class: number of the last check that reached it
    std::uint32_t m_check = 0;
};

} // namespace sunder
