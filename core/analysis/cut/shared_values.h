#pragma once

#include "analysis/cut/cut_metrics.h"

#include <span>
#include <vector>

namespace sunder {

/// A value that so many parts read (a mask, rotary tables) that lines to all of them would hide the rest of a picture.
struct SharedRead {
    NodeId node;
    std::int32_t from = TagAssignment::kUntagged; ///< the part that makes it; kUntagged: an input of the program
    std::vector<std::int32_t> to;                 ///< later parts that read it, ascending; of an input all that do
    std::uint64_t bytes = 0;                      ///< 0 when not known
    bool isKnown = true;
    bool hasNoTensor = false; ///< an int, a symbolic int: it takes no bytes
    friend bool operator==(const SharedRead&, const SharedRead&) = default;
};

/// What a picture of a cut shows between its parts: every read of a value by another part is in one of the two.
struct DrawnCut {
    static constexpr std::size_t kMostLines = 3;
    std::vector<Ribbon> ribbons;     ///< those of the metrics without what is shared; pairs that have nothing left have none
    std::vector<SharedRead> shared; ///< results of calls in graph order, then inputs of the program
};

/// Takes apart what goes between the parts: values that more than `mostLines` other parts read are shared, with inputs of the
/// program that so many read. Reads by earlier parts stay in ribbons: they are errors, to be seen. `metrics` are of the same
/// cut. O(values + readers + parts).
DrawnCut drawnCut(const CutGraph& graph, const TagAssignment& tags, const CutMetrics& metrics,
                  std::size_t mostLines = DrawnCut::kMostLines);

} // namespace sunder
