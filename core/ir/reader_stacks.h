#pragma once

#include "ir/program.h"

namespace sunder {

/// The path that torch.export.load, and passes of torch, put on nodes whose module they do not know.
inline constexpr std::string_view kNoModulePath = "_empty_nn_module_stack_from_metadata_hook";

/// Gives calls that a file leaves without a module stack the modules that all their readers lie in: weights that are taken
/// apart, glue that passes insert, sizes. What nobody reads lies where the last of its operands was made. Of stacks the
/// first kMostFrames count. What the file states is kept beside it (ModuleStack::stated). A graph in which no node has a
/// stack stays as it is. Linear in nodes and arguments, times kMostFrames.
void placeByReaders(Program& program);

/// The nodes of a graph in its order, but for those that readers have placed and that need nothing besides inputs and weights:
/// torch.export takes weights apart before any module runs; here that stands in front of the first node that needs it. An order
/// of execution as well. O(nodes + arguments), and the logarithm of what has moved.
std::vector<NodeId> orderByReaders(const Program& program, const Graph& graph);

} // namespace sunder
