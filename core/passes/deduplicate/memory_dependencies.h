#pragma once

#include "analysis/run_order/call_effects.h"
#include "analysis/run_order/memory_classes.h"
#include "passes/regions/order_constraints.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Runtime order of nodes that does not follow from data flow. Includes the order recorded in `mutated`, and the known effects of
/// operators: in-place writes, random numbers, assertions, prints, and changes of global state.
struct MemoryDependencies {
    OrderConstraints constraints;
    std::vector<std::vector<std::uint32_t>> written; ///< per rank: inputs that the node writes to
    std::vector<char> writesBuffers; ///< per rank: writes to tensors of modules or graphs that it calls
};

/// Computes the runtime order. Incomplete if `monitor` is cancelled. O(nodes + arguments + tensors of called modules).
MemoryDependencies runOrder(const Program& program, const RankedGraph& graph, const MemoryClasses& memory,
                            ProgressMonitor& monitor);

} // namespace sunder
