#pragma once

#include "analysis/cut/cut_metrics.h"

#include <span>
#include <vector>

namespace sunder {

/// A value with so many consuming parts (a mask, rotary tables) that lines to all of them would clutter a picture.
struct SharedRead {
    NodeId node;
    std::int32_t from = TagAssignment::kUntagged; ///< the producing part; kUntagged: an input of the program
    std::vector<std::int32_t> to;                 ///< later parts that consume it, ascending; for an input all that do
    std::uint64_t bytes = 0;                      ///< 0 if unknown
    bool isKnown = true;
    bool hasNoTensor = false; ///< an int or symbolic int: occupies no bytes
    friend bool operator==(const SharedRead&, const SharedRead&) = default;
};

/// The values that pass between parts, as drawn in a picture of a cut. Each consuming part appears in exactly one of the two
/// lists.
struct DrawnCut {
    static constexpr std::size_t kMaxLines = 3;
    std::vector<CutEdge> cutEdges;     ///< those of the metrics without shared values; empty pairs are omitted
    std::vector<SharedRead> shared; ///< results of calls in graph order, then inputs of the program
};

/// Separates shared values from cutEdges: values and program inputs with more than `mostLines` consuming parts. Backward edges
/// stay in cutEdges, since they are errors and must be visible. `metrics` are those of the same cut. O(values + readers + parts).
DrawnCut drawnCut(const CutGraph& graph, const TagAssignment& tags, const CutMetrics& metrics,
                  std::size_t mostLines = DrawnCut::kMaxLines);

} // namespace sunder
