#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// A call of a part in a split program.
struct PartitionDagNode {
    InternedString submodule;             ///< target of the call: "submod_0", a tag
    NodeId call;                          ///< of the root graph
    std::vector<InternedString> inputs;   ///< names of its inputs, without repeats
    std::vector<InternedString> outputs;  ///< names of its results: the call itself, or its getitems
    std::vector<std::int64_t> devices;    ///< logical ids of its devices; empty if none are assigned
    std::uint64_t usedBytes = 0;          ///< its tensors, each memory once, and the outputs of its calls
};

/// Returns the parts of a split program with their dependencies, in execution order. Parts are calls of modules with graphs.
/// O(nodes + arguments + tensors).
std::vector<PartitionDagNode> partitionDag(const Program& split);

} // namespace sunder
