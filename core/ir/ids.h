#pragma once

#include "support/id.h"

namespace sunder {

using NodeId = Id<struct NodeTag>;       ///< A node of one Graph.
using GraphId = Id<struct GraphTag>;     ///< A Graph of one Program.
using ModuleId = Id<struct ModuleTag>;   ///< A path of a ModuleTree.
using TensorId = Id<struct TensorTag>;   ///< An entry of a TensorTable.
using StorageId = Id<struct StorageTag>; ///< A storage of a TensorTable.
using StackId = Id<struct StackTag>;     ///< An nn_module_stack of a Program.

/// A node and its graph.
struct NodeRef {
    GraphId graph;
    NodeId node;
    friend constexpr auto operator<=>(const NodeRef&, const NodeRef&) = default;
};

} // namespace sunder
