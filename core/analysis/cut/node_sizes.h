#pragma once

#include "analysis/sizes.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// The device memory of a root graph's nodes, in bytes. The sizes are given by the file (`size_bytes`) or computed. If computed,
/// a parameter, buffer or constant is a *memory* that a partition holds once, regardless of the number of its readers and names;
/// nodes only own their results.
struct NodeSizes {
    bool fromFile = false;
    std::vector<char> known; ///< per NodeId
    std::vector<std::uint64_t> own; ///< per NodeId: bytes on the node's partition, without memories
    std::vector<std::uint64_t> output; ///< per NodeId: bytes on partitions that read but do not compute it; 0 for a memory
    MemoryTable memory = {}; ///< empty, like the reads, if the sizes are from the file
    MemoryReads reads = {};
};

/// Returns the sizes in the file if there are any; otherwise computes them: tensors of `val` from dtype and shape, symbolic sizes
/// from their hints, parameters and buffers from their storage. Nodes with unknown sizes are marked. Refuses sizes so large that
/// sums would overflow. O(nodes + arguments + tensors).
Result<NodeSizes> nodeSizes(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none());

/// Same without refusing anything, for displaying earlier results. O(nodes + arguments + tensors).
NodeSizes sizesOfNodes(const Program& program);

/// Returns the error "has no size" for a node, with the missing information.
tl::unexpected<Error> unknownSize(const Program& program, const NodeSizes& sizes, NodeId id);

/// Returns the total before the output: the bytes that each node owns, and each memory once. Fails for the first node without a
/// size.
Result<std::uint64_t> wholeBytes(const Program& program, const NodeSizes& sizes);

} // namespace sunder
