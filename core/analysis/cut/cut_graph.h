#pragma once

#include "analysis/cut/node_sizes.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/rows.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// What of the values that a part computes takes memory. Everything that is reckoned from a CutGraph goes by its rule, so that
/// two figures under one rule are never of two accounts.
enum class MemoryRule : std::uint8_t {
    freesDead, ///< a value is freed after its last reader in the part, a view takes nothing: the peak of a run
    keepsAll,  ///< no value is freed and a view is a value like others: what torch's partitioners count
};

/// The root graph of a program as dense tables, for everything that asks what a cut costs. It knows nothing of parts, so
/// one serves every cut of a program. Calls are numbered in the order of orderByReaders(); a *value* is the result of a call
/// (same number) or, behind those, an input of the program. Parameters, buffers and constants are no values but *memories*.
///
/// A *piece* is memory that calls fill: a tensor result has one, a tuple one per tensor in it. Views (by ATen's names,
/// operators in place, getitem) lie in the pieces of what they show; so do results of equal `storage` in `val`. What
/// may or may not be a view (reshape, contiguous, to) counts as new: an upper bound. Results of more than 64 tensors
/// are one piece.
struct CutGraph {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    MemoryRule rule = MemoryRule::freesDead;
    std::uint32_t callCount = 0;
    std::vector<NodeId> nodes; ///< per value
    std::vector<std::uint32_t> valueOf; ///< per NodeId: value, or kNone
    std::vector<std::uint64_t> bytes; ///< per value: its tensors, by hints of symbols; 0 when unknown
    std::vector<char> isUnknown; ///< per value: a size is not known
    std::vector<char> hasNoTensor; ///< per value: an int, a symbolic int …: known to take no bytes
    std::vector<char> leavesProgram; ///< per value: the output reads it
    Rows inputs; ///< per call: distinct values that it reads
    Rows readers; ///< per value: calls that read it, ascending
    Rows memories; ///< per call: memories that it reads
    Rows memoryReaders; ///< per memory: calls that read it, ascending
    std::vector<std::uint64_t> memoryBytes; ///< per memory; 0 when unknown
    std::vector<char> memoryIsUnknown; ///< per memory
    std::vector<TensorId> tensorOfMemory; ///< per memory: the first tensor in it
    Rows pieces; ///< per call: pieces that its result lies in
    std::vector<std::uint64_t> pieceBytes; ///< per piece; 0 when unknown
    std::vector<std::uint32_t> pieceMaker; ///< per piece: the call that fills it first
};

/// Under MemoryRule::freesDead. Unfinished once `monitor` was cancelled. O(nodes + arguments + tensors).
CutGraph cutGraph(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none());

/// Under MemoryRule::keepsAll, with the sizes that a partitioner goes by: each call has one piece of its own. Where the sizes are
/// the file's, what a call takes beyond its result is a memory that it alone reads, and a parameter's node is one as well.
/// O(nodes + arguments + tensors).
CutGraph cutGraph(const Program& program, const NodeSizes& sizes, ProgressMonitor& monitor = ProgressMonitor::none());

/// Under a rule; with the sizes that the file gives, where it gives any. O(nodes + arguments + tensors).
CutGraph cutGraph(const Program& program, MemoryRule rule);

/// The part of each call: index into `tags.order`, or TagAssignment::kUntagged. Of a tag that stands twice the last
/// place holds, as in split_by_tags. O(calls + order).
std::vector<std::int32_t> partsOfCalls(const CutGraph& graph, const TagAssignment& tags);

/// Per part, its calls in graph order. `parts` is one more than the largest part.
Rows callsOfParts(const std::vector<std::int32_t>& partOf, std::size_t parts);

} // namespace sunder
