#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <span>
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
    std::vector<std::uint64_t> memoryBytes; ///< per memory; empty if the sizes are from the file
    std::vector<std::uint32_t> readBegin; ///< per NodeId: start of its memories; empty if the sizes are from the file
    std::vector<std::uint32_t> reads;

    /// Returns the memories that a node reads: those of the lifted placeholders and attributes in its arguments, and of the
    /// module that it calls.
    [[nodiscard]] std::span<const std::uint32_t> memoriesOf(NodeId id) const
    {
        if (readBegin.empty())
            return {};
        const std::uint32_t begin = readBegin[id.index()];
        return std::span(reads).subspan(begin, readBegin[id.index() + 1] - begin);
    }
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
