#pragma once

#include "analysis/run_order/memory_dependencies.h"
#include "analysis/run_order/ranked_graph.h"

namespace sunder {

/// Returns the dependencies recorded in a file. `mutated` records writes to a value, which affect every value in the same storage.
/// Known setters of global state (autocast, grad and inference mode, default dtype, determinism, hooks) keep their position among
/// all calls. O(nodes + arguments + size of `val`).
MemoryDependencies recordedOrder(const RankedGraph& graph);

} // namespace sunder
