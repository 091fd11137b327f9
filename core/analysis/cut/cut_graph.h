#pragma once

#include "analysis/cut/node_sizes.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"
#include "support/rows.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Determines which values of a part occupy memory. All figures computed from a CutGraph use its rule, so figures under one rule
/// are comparable.
enum class MemoryRule : std::uint8_t {
    freesDead, ///< values are freed after their last reader in the part, views are free: the peak of a run
    keepsAll,  ///< values are never freed and views count like other values, as PyTorch's partitioners count
};

/// The root graph of a program as dense tables for computing cut costs. It is independent of parts, so one instance serves every
/// cut of a program. Calls are numbered in the order of orderByReaders(). A *value* is the result of a call (with the same
/// number) or, after those, an input of the program. Parameters, buffers and constants are *memories*, not values.
///
/// A *piece* is memory that calls fill: a tensor result has one piece, a tuple has one per tensor. Views (by ATen operator,
/// in-place operators, getitem) share the pieces of their base; so do results with equal `storage` in `val`. Strides decide whether
/// ops such as reshape and contiguous return a view. Other ops that may or may not share memory, and such ops without strides in
/// the file, count as new memory: an upper bound. Results with more than 64 tensors are one piece.
struct CutGraph {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    MemoryRule rule = MemoryRule::freesDead;
    std::uint32_t callCount = 0;
    std::vector<NodeId> nodes; ///< per value
    std::vector<std::uint32_t> valueOf; ///< per NodeId: value, or kNone
    std::vector<std::uint64_t> bytes; ///< per value: its tensors, with hints for symbolic sizes; 0 if unknown
    /// Per value: its memory as an input of a part, from its first to its last element. Differs from `bytes` if the tensor is
    /// expanded or has gaps.
    std::vector<std::uint64_t> heldBytes;
    std::vector<char> isUnknown; ///< per value: whether a size is unknown
    std::vector<char> hasNoTensor; ///< per value: an int, a symbolic int …: known to occupy no bytes
    std::vector<char> isItem; ///< per call: whether it takes an item of a container that another call returns
    std::vector<char> leavesProgram; ///< per value: whether the output reads it
    Rows inputs; ///< per call: distinct input values
    Rows readers; ///< per value: consuming calls, ascending
    Rows memories; ///< per call: memories that it reads
    Rows memoryReaders; ///< per memory: reading calls, ascending
    std::vector<std::uint32_t> unreadMemories; ///< memories with a node that no call reads; part of the whole program only
    std::vector<std::uint64_t> memoryBytes; ///< per memory; 0 if unknown
    std::vector<char> memoryIsUnknown; ///< per memory
    std::vector<TensorId> tensorOfMemory; ///< per memory: its first tensor
    Rows pieces; ///< per call: the pieces of its result
    std::vector<std::uint64_t> pieceBytes; ///< per piece; 0 if unknown
    std::vector<std::uint32_t> pieceMaker; ///< per piece: the first call that fills it
    std::vector<NodeId> viewOf; ///< per call: the node whose memory its result certainly shares; invalid if it has its own
    std::vector<std::uint32_t> runOrder; ///< per call: its position among the calls in graph order; empty if equal to its number
};

/// Builds the tables for MemoryRule::freesDead. O(nodes + arguments + tensors).
CutGraph cutGraph(const Program& program);

/// Same; fails with ErrorCode::cancelled.
Result<CutGraph> cutGraph(const Program& program, ProgressMonitor& monitor);

/// Builds the tables for MemoryRule::keepsAll with the sizes of a partitioner: each call has a separate piece. If the sizes are
/// from the file, the bytes of a call beyond its result are a memory that only this call reads, and each parameter node is a
/// memory. O(nodes + arguments + tensors).
CutGraph cutGraph(const Program& program, const NodeSizes& sizes);

/// Same; fails with ErrorCode::cancelled.
Result<CutGraph> cutGraph(const Program& program, const NodeSizes& sizes, ProgressMonitor& monitor);

/// Builds the tables for a rule, using sizes from the file if it gives any. O(nodes + arguments + tensors).
CutGraph cutGraph(const Program& program, MemoryRule rule);

/// Returns the part of each call: index into `tags.order`, or TagAssignment::kUntagged. For a duplicate tag the last position is
/// used, as in split_by_tags. O(calls + order).
std::vector<std::int32_t> partsOfCalls(const CutGraph& graph, const TagAssignment& tags);

/// Returns the calls of each part in graph order. `parts` is one more than the largest part.
Rows callsOfParts(const std::vector<std::int32_t>& partOf, std::size_t parts);

} // namespace sunder
