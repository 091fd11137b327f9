#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// The work of one node, or the sum for several. Zero for nodes that are not calls.
struct NodeCost {
    std::optional<std::uint64_t> flops = 0; ///< see FlopCounter; nothing if unknown
    std::uint64_t bytesRead = 0;    ///< distinct tensors in the arguments
    std::uint64_t bytesWritten = 0; ///< distinct tensors in the result, or those written in place
    std::uint32_t uncounted = 0;    ///< calls of an UncountedOperator: their 0 operations say nothing

    void add(const NodeCost& other);
};

/// An operator without a formula for its floating-point operations that is neither a view nor the creation of a tensor nor
/// elementwise, so that its count of 0 says nothing about its time. Calls in the graphs of other calls are included.
struct UncountedOperator {
    InternedString target;
    std::uint64_t nodes = 0;
    std::uint64_t bytes = 0; ///< read and written by these nodes; the largest number if the sum is larger
};

/// The costs of a module: of the calls at and below its path.
struct ModuleCost {
    InternedString path; ///< empty for the whole model
    std::uint32_t ops = 0;
    NodeCost cost;
};

struct ProgramCosts {
    std::vector<NodeCost> nodes;              ///< per NodeId of the root graph
    std::vector<ModuleCost>
        modules; ///< those that run calls, in the order of their first calls; the whole model first, each before its submodules
    std::vector<UncountedOperator> uncounted; ///< largest share of bytes first, then by target
    std::uint32_t unknown = 0; ///< calls whose floating-point operations are unknown

    [[nodiscard]] const NodeCost& total() const { return modules.front().cost; }
};

/// Counts the costs of the root graph's calls; a call of graphs includes their floating-point operations. Calls that move no
/// data (views, `empty`, a reshape or conversion that changes nothing) read and write 0 bytes; a dimension with stride 0 counts
/// once. Bytes of unknown sizes count as 0. Fails with ErrorCode::cancelled. O(nodes × depth of their modules + arguments).
Result<ProgramCosts> programCosts(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
