#pragma once

#include "ir/program.h"

namespace sunder {

/// The path that torch.export.load, and passes of PyTorch, assign to nodes with unknown modules.
inline constexpr std::string_view kNoModulePath = "_empty_nn_module_stack_from_metadata_hook";

/// Assigns ops without a module stack to the modules that all their users share: unwrapped weights, nodes that passes insert,
/// sizes. An op without users gets the modules of its last operand. Only the first kMaxFrames frames of a stack count. The stack
/// in the file is preserved (ModuleStack::stated). A graph in which no node has a stack does not change. Linear in nodes and
/// arguments, times kMaxFrames.
void placeByReaders(Program& program);

/// Returns the nodes of a graph in an execution order in which nodes that were placed by their users, and that only depend on
/// inputs and weights, come directly before their first user. (torch.export unwraps weights before any module runs.) All other
/// nodes keep their order. O(nodes + arguments), plus the sorting of moved nodes.
std::vector<NodeId> orderByReaders(const Program& program, const Graph& graph);

} // namespace sunder
