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

/// A part whose sizes a move changes.
struct PartChange {
    std::int32_t part = 0;
    PartSizes before;
    PartSizes after;
    friend bool operator==(const PartChange&, const PartChange&) = default;
};

/// A pair of parts that exchange something else after a move.
struct RibbonChange {
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::uint64_t bytesBefore = 0;
    std::uint64_t bytesAfter = 0;
    std::size_t valuesBefore = 0;
    std::size_t valuesAfter = 0;
    friend bool operator==(const RibbonChange&, const RibbonChange&) = default;
};

/// What moving calls to another part would change.
struct MovePreview {
    std::vector<NodeId> moved; ///< calls that change their part, in graph order
    std::int32_t to = TagAssignment::kUntagged;
    std::vector<PartChange> parts;     ///< ascending; only those that change
    std::vector<RibbonChange> ribbons; ///< by (from, to); only those that change
    std::uint64_t cutBytesBefore = 0;
    std::uint64_t cutBytesAfter = 0;
    std::uint64_t largestBefore = 0; ///< usedBytes() of the largest part
    std::uint64_t largestAfter = 0;
    std::vector<BackwardEdge> broken; ///< edges that would run backwards and do not now, by consumer
    std::vector<BackwardEdge> mended; ///< edges that run backwards now and would not
    std::size_t backwardAfter = 0;    ///< edges that would run backwards, old ones included
    /// No edge between parts runs backwards: split_by_tags takes it, when every call has a part.
    [[nodiscard]] bool isLegal() const { return backwardAfter == 0; }
    /// Another order of the parts would make it legal: they do not depend on each other in a circle.
    bool isOrderable = true;
    friend bool operator==(const MovePreview&, const MovePreview&) = default;
};

/// Tries moves on a cut. Holds what is known of the cut, so that trying costs only what the move
/// touches: the calls of the two or more parts concerned, the values and memories that the moved calls read and give.
class MovePreviewer {
public:
    /// Measures the cut. O(nodes + arguments + tensors). Both must outlive it and stay as they are.
    MovePreviewer(const CutGraph& graph, const TagAssignment& tags);

    [[nodiscard]] const CutMetrics& metrics() const { return m_metrics; }
    [[nodiscard]] std::int32_t partOf(NodeId id) const;

    /// What moving these calls to part `to` (an index into the order) would change; what is no call or is there already
    /// is passed over. Changes nothing. O(calls of the parts concerned and their arguments, readers of what the moved
    /// calls read); when something runs backwards, O(arguments) once more.
    [[nodiscard]] MovePreview preview(std::span<const NodeId> nodes, std::int32_t to) const;
    /// The same, unless it is cancelled: ErrorCode::cancelled.
    [[nodiscard]] Result<MovePreview> preview(std::span<const NodeId> nodes, std::int32_t to, ProgressMonitor& monitor) const;

private:
    class Trial;
    const CutGraph& m_graph;
    std::vector<std::int32_t> m_partOf; ///< per call
    Rows m_calls;                       ///< per part
    CutMetrics m_metrics;
    std::size_t m_backward = 0;
};

/// "adds 64.0 MB to the cut; stage1 grows by 4.0 MB; relu (tag b) feeds add (tag a), but b comes after a" in one line.
std::string describe(const MovePreview& preview, const Graph& graph, const TagAssignment& tags);

} // namespace sunder
