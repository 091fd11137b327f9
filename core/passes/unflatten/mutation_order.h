#pragma once

#include "passes/unflatten/flat_graph.h"
#include "passes/unflatten/side_reads.h"

#include <span>
#include <vector>

namespace sunder {

/// Values that would be wrong if mutations happen at their copy_ calls.
struct MutationFaults {
    std::vector<NodeId> late;       ///< placeholders whose old value is read after the mutation
    std::vector<CrossingRead> read; ///< values that the buffer does not hold when they are read from it
    [[nodiscard]] bool empty() const { return late.empty() && read.empty(); }
};

/// Tracks what every mutated placeholder holds at each node: its first value, an intermediate value that crosses modules, or the
/// final one. `crossingsInBuffers`: crossing values are written to the buffer. Linear up to a logarithmic factor.
MutationFaults checkMutations(const Program& flat, const ModuleStacks& stacks, std::span<const MutationCopy> copies,
                              std::span<const CrossingRead> crossings, bool crossingsInBuffers);

} // namespace sunder
