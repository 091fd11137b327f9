#pragma once

#include "passes/unflatten/flat_graph.h"
#include "passes/unflatten/outline.h"
#include "passes/unflatten/tensor_groups.h"
#include "passes/unflatten/unflatten.h"

#include <span>
#include <vector>

namespace sunder {

/// Writes the finished objects down as a program: modules with their tensors and graphs, aliases where an object stands
/// a second time, dispatchers with the graphs of their calls; and which nodes came from where. `merged` says per call
/// which call's object it got, `replaced` which nodes of the flat graph stand for which of the source. Takes the graphs
/// out of `outline`. False, and unfinished, once `monitor` was cancelled. Linear.
[[nodiscard]] bool writeProgram(const Program& source, const Program& flat, std::span<const ReplacedNode> replaced,
                                Outline& outline, const TensorGroups& tensors, const std::vector<std::uint32_t>& merged,
                                UnflattenResult& result, ProgressMonitor& monitor);

} // namespace sunder
