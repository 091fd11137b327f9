#pragma once

#include "analysis/cut/cut_metrics.h"

#include <span>
#include <vector>

namespace sunder {

/// Returns the values that pass between parts, by (from, to), each in graph order. Omits values with more than `mostLines`
/// consuming parts, except where they pass to an earlier part. Ignores consumers without a part. O(ports + pairs of parts).
std::vector<CutEdge> cutEdgesOf(std::span<const PartMetrics> parts, std::size_t mostLines);

/// Returns the bytes of values that other parts consume. A value with several consumers counts once. O(values + readers).
std::uint64_t crossingBytesOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf);

/// The values that pass between parts, as drawn in a picture of a cut. A value with so many consuming parts (a mask, rotary
/// tables) that lines to all of them would clutter the picture is *shared*. Each consuming part appears in exactly one list.
struct DrawnCut {
    static constexpr std::size_t kMaxLines = 3;
    std::vector<CutEdge> cutEdges; ///< those of the metrics without shared values; empty pairs are omitted
    /// Results of calls in graph order, then inputs of the program. `to` lists later parts; for an input all that consume it.
    std::vector<Port> shared;
};

/// Separates shared values from edges: values and program inputs with more than `mostLines` consuming parts. Backward edges
/// stay in edges, since they are errors and must be visible. `metrics` are those of the same cut. O(values + readers + parts).
DrawnCut drawnCut(const CutGraph& graph, const TagAssignment& tags, const CutMetrics& metrics,
                  std::size_t mostLines = DrawnCut::kMaxLines);

/// A call with an edge to another part, which could be moved across the boundary.
struct BoundaryCall {
    NodeId node;
    std::vector<std::int32_t> from; ///< other parts that it consumes from, ascending
    std::vector<std::int32_t> to; ///< other parts that consume its result, ascending
    std::uint64_t bytes = 0; ///< of its result if it leaves, otherwise of its inputs from other parts
    [[nodiscard]] bool leaves() const { return !to.empty(); }
    friend bool operator==(const BoundaryCall&, const BoundaryCall&) = default;
};

/// The calls at the boundary of a part. A call with both producers and consumers in other parts counts only as leaving.
struct PartBoundary {
    std::vector<BoundaryCall> calls; ///< in graph order
    std::size_t entering = 0; ///< calls that only consume from other parts, including unlisted ones
    std::size_t leaving = 0;
};

/// Returns the boundary of each part, in order. Lists the `most` entering and the `most` leaving calls with the most bytes; ties
/// prefer calls nearest to the boundary (the first entering, the last leaving). Calls in no part are ignored. O(arguments +
/// ports).
std::vector<PartBoundary> partBoundaries(const CutGraph& graph, const TagAssignment& tags, const CutMetrics& metrics,
                                         std::size_t most);

} // namespace sunder
