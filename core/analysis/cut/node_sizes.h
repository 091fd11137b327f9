#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// What the nodes of a root graph take of a device, in bytes. Either as the file says (`size_bytes`), or worked out:
/// then a parameter, buffer or constant is a *memory* that a partition holds once, however many of its nodes read it
/// and by however many names, and nodes own nothing but what they compute.
struct NodeSizes {
    bool fromFile = false;
    std::vector<char> known;            ///< per NodeId
    std::vector<std::uint64_t> own;     ///< per NodeId: taken where the node is, without memories
    std::vector<std::uint64_t> output;  ///< per NodeId: taken where it is read and not computed; 0 for a memory
    std::vector<std::uint64_t> memoryBytes; ///< per memory; empty when the sizes are the file's
    std::vector<std::uint32_t> readBegin;   ///< per NodeId: where its memories begin; empty when the file's
    std::vector<std::uint32_t> reads;

    /// The memories that a node reads: those of the lifted placeholders and attributes in its arguments and of the
    /// module that it calls.
    [[nodiscard]] std::span<const std::uint32_t> memoriesOf(NodeId id) const
    {
        if (readBegin.empty())
            return {};
        const std::uint32_t begin = readBegin[id.index()];
        return std::span(reads).subspan(begin, readBegin[id.index() + 1] - begin);
    }
};

/// The sizes that the file gives when it gives any, else those worked out: tensors of `val` by their dtype and shape,
/// symbolic sizes by their hints, parameters and buffers by their storage. A node whose size is not known is marked,
/// not guessed. Refused: sizes so large that sums would overflow. O(nodes + arguments + tensors).
Result<NodeSizes> nodeSizes(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none());

/// The same, refusing nothing: to show what was reckoned before. Unfinished once `monitor` was cancelled. O(nodes + arguments +
/// tensors).
NodeSizes sizesOfNodes(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none());

/// "has no size" as an error that names the node and says what is missing.
tl::unexpected<Error> unknownSize(const Program& program, const NodeSizes& sizes, NodeId id);

/// Everything before the output: each node's own bytes and each memory once. The first node without a size, if any,
/// is the error.
Result<std::uint64_t> wholeBytes(const Program& program, const NodeSizes& sizes);

} // namespace sunder
