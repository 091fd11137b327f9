#pragma once

#include "analysis/run_order/call_effects.h"
#include "analysis/run_order/memory_classes.h"
#include "passes/regions/order_constraints.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// What of the order of a graph's nodes matters although no value flows: everything that `mutated` records and, beyond
/// that, what is known of operators: writes in place, random numbers, assertions and prints, setters of global state.
struct RunOrder {
    OrderConstraints constraints;
    std::vector<std::vector<std::uint32_t>> written; ///< per rank: inputs that the node writes to
    std::vector<char> writesBuffers; ///< per rank: writes to tensors of the modules or graphs that it calls
};

/// Unfinished once `monitor` was cancelled. O(nodes + arguments + tensors that the called modules hold).
RunOrder runOrder(const Program& program, const RankedGraph& graph, const MemoryClasses& memory, ProgressMonitor& monitor);

} // namespace sunder
