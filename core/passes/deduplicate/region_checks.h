#pragma once

#include "passes/deduplicate/group_plan.h"
#include "passes/deduplicate/run_order.h"
#include "passes/regions/contracted_order.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Decides which regions may be replaced by a call, one after the other: an accepted one is a single step from then on.
class RegionChecks {
public:
    RegionChecks(const RankedGraph& graph, const MemoryClasses& memory, const MemoryClasses& views, RunOrder& order);

    struct Verdict {
        std::string why;             ///< empty: it may
        bool asTorchLeaves = false;  ///< torch leaves it in place as well, and keeps the subgraph
    };
    /// `region`: ranks; the first region of the group, `reference`, says what operands and results are.
    Verdict check(const GroupPlan& plan, std::span<const std::uint32_t> reference, std::span<const std::uint32_t> region);

private:
    std::string kinds(const GroupPlan& plan, std::span<const std::uint32_t> reference, std::span<const std::uint32_t> region) const;
    std::string writes(std::span<const std::uint32_t> inner, std::span<const std::uint32_t> operands) const;
    std::string aliases(const GroupPlan& plan, std::span<const std::uint32_t> region, std::span<const std::uint32_t> operands);
    std::string takenWhole(std::uint32_t rank, std::span<const Argument> items, std::span<const std::uint32_t> region) const;

    const RankedGraph& m_graph;
    const MemoryClasses& m_memory;
    const MemoryClasses& m_views; ///< less cautious
    RunOrder& m_run;
    ContractedOrder m_order;
    std::vector<std::uint32_t> m_seenIn; ///< per memory class: number of the check that met it last
    std::uint32_t m_check = 0;
};

} // namespace sunder
