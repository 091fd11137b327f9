#pragma once

#include "passes/unflatten/flat_graph.h"
#include "passes/unflatten/outline.h"

#include <span>
#include <vector>

namespace sunder {

/// What goes wrong when mutations happen where they are written out.
struct MutationFaults {
    std::vector<NodeId> late;       ///< placeholders whose old value is read after the mutation
    std::vector<CrossingRead> read; ///< values that are not in the buffer when they are read from it
    [[nodiscard]] bool empty() const { return late.empty() && read.empty(); }
};

/// Follows what every mutated placeholder holds at each node: its first value, an intermediate value that crosses
/// modules, or the final one. `crossingsInBuffers`: such values are written to the buffer. Linear, but for a logarithm.
MutationFaults checkMutations(const Program& flat, const ModuleStacks& stacks, std::span<const MutationCopy> copies,
                              const Outline& outline, bool crossingsInBuffers);

} // namespace sunder
