#pragma once

#include "analysis/cut/cut_metrics.h"
#include "analysis/tag_legality.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// A part whose sizes change.
struct PartChange {
    std::int32_t part = 0;
    PartSizes before;
    PartSizes after;
    friend bool operator==(const PartChange&, const PartChange&) = default;
};

/// A pair of parts whose exchanged values change.
struct CutEdgeChange {
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::uint64_t bytesBefore = 0;
    std::uint64_t bytesAfter = 0;
    std::size_t valuesBefore = 0;
    std::size_t valuesAfter = 0;
    friend bool operator==(const CutEdgeChange&, const CutEdgeChange&) = default;
};

/// The effect of moving calls to another part.
struct MovePreview {
    std::vector<NodeId> moved; ///< calls that change their part, in graph order
    std::int32_t to = TagAssignment::kUntagged;
    std::vector<PartChange> parts;     ///< ascending, only parts that change
    std::vector<CutEdgeChange> cutEdges; ///< by (from, to), only pairs that change
    std::uint64_t cutBytesBefore = 0;
    std::uint64_t cutBytesAfter = 0;
    std::uint64_t largestBefore = 0; ///< usedBytes() of the largest part
    std::uint64_t largestAfter = 0;
    std::vector<BackwardEdge> broken; ///< edges that would become backward edges, by consumer
    std::vector<BackwardEdge> mended; ///< edges that would no longer be backward edges
    std::size_t backwardAfter = 0;    ///< number of backward edges after the move, including existing ones
    /// Returns whether there are no backward edges: split_by_tags accepts the cut if every call has a part.
    [[nodiscard]] bool isLegal() const { return backwardAfter == 0; }
    /// whether the parts have no cyclic dependencies, so that reordering them would make the cut legal
    bool isOrderable = true;
    friend bool operator==(const MovePreview&, const MovePreview&) = default;
};

/// Previews moves on a cut. Keeps the metrics of the cut, so that a preview only visits what the move affects: the calls of the
/// parts involved, and the values and memories of the moved calls.
class MovePreviewer {
public:
    /// Measures the cut. O(nodes + arguments + tensors). Graph and tags must outlive it and not change.
    MovePreviewer(const CutGraph& graph, const TagAssignment& tags);

    [[nodiscard]] const CutMetrics& metrics() const { return m_metrics; }
    [[nodiscard]] std::int32_t partOf(NodeId id) const;

    /// Previews moving calls to part `to` (an index into the order) without changing anything. Ignores other nodes and calls that
    /// are already there. O(calls of the parts involved and their arguments, readers of the moved calls' inputs); plus
    /// O(arguments) if there are backward edges.
    [[nodiscard]] MovePreview preview(std::span<const NodeId> nodes, std::int32_t to) const;
    /// Same; returns ErrorCode::cancelled when the monitor is canceled.
    [[nodiscard]] Result<MovePreview> preview(std::span<const NodeId> nodes, std::int32_t to, ProgressMonitor& monitor) const;

private:
    class Trial;
    const CutGraph& m_graph;
    std::vector<std::int32_t> m_partOf; ///< per call
    Rows m_calls; ///< per part
    CutMetrics m_metrics;
    std::size_t m_backward = 0;
};

/// Summarizes a preview in one line: "adds 64.0 MB to the cut; stage1 grows by 4.0 MB; relu (tag b) feeds add (tag a), but b
/// comes after a".
std::string describe(const MovePreview& preview, const Graph& graph, const TagAssignment& tags);

} // namespace sunder
