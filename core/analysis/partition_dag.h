#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// One call of a part in a split program.
struct PartitionDagNode {
    InternedString submodule;             ///< target of the call: "submod_0", a tag
    NodeId call;                          ///< of the root graph
    std::vector<InternedString> inputs;   ///< names of what it takes, each once
    std::vector<InternedString> outputs;  ///< names of what it gives: the call itself, or its getitems
    std::vector<std::int64_t> devices;    ///< logical ids of the devices that hold it; empty where none were assigned
    std::uint64_t usedBytes = 0;          ///< tensors that it holds, each memory once, and the outputs of its calls
};

/// The parts of a split program and how they depend on each other, in order of execution: the calls of modules that
/// have graphs. O(nodes + arguments + tensors).
std::vector<PartitionDagNode> partitionDag(const Program& split);

} // namespace sunder
