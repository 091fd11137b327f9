#pragma once

#include "passes/unflatten/flat_graph.h"
#include "passes/unflatten/flat_tensors.h"
#include "passes/unflatten/outline.h"
#include "passes/unflatten/unflatten.h"

#include <span>
#include <vector>

namespace sunder {

/// Writes the finished objects as a program: modules with their tensors and graphs, aliases for further occurrences of an object,
/// dispatchers with the graphs of their calls, and the node map. `merged`: per call, the call whose object it shares. `replaced`:
/// new nodes of the flat graph and the source nodes that they replace. Moves the graphs out of `outline`. Fails with
/// ErrorCode::cancelled. Linear.
[[nodiscard]] Result<void> writeProgram(const Program& source, const Program& flat, std::span<const ReplacedNode> replaced,
                                        Outline& outline, const TensorGroups& tensors, const std::vector<std::uint32_t>& merged,
                                        UnflattenResult& result, ProgressMonitor& monitor);

} // namespace sunder
