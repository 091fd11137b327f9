#pragma once

#include "analysis/cut/part_measure.h"
#include "analysis/sequence/cut_sequence.h"

#include "support/result.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// The stage on one side of a boundary.
struct StageFigures {
    std::int32_t tag = 0;
    PartSizes sizes;         ///< under the rule of the graph; without duplicates of other stages
    std::size_t unknown = 0; ///< number of unknown sizes: the figures may be too low
};

/// The properties of a cut with a boundary at a place.
struct BoundaryFigures {
    std::uint32_t place = 0;
    StageFigures before = {};
    StageFigures after = {};
    std::uint64_t crossingBytes = 0; ///< of values that cross this boundary; each value counts once
    std::size_t crossingValues = 0;
    std::size_t nonTensors = 0;  ///< number of non-tensors among them
    std::uint64_t allCrossingBytes = 0;  ///< of all values that another stage consumes; each value counts once
    std::size_t changedCalls = 0; ///< calls whose tag differs from before the move
    CutLegality legality = {};         ///< of the whole model
};

/// Moves one boundary of a cut. Caches the state of the cut, so that a move only costs the moved calls and the two stages.
class BoundaryMove {
public:
    /// `border` is an index into the boundaries of `cut`, which is the sequence of these tags. O(calls).
    BoundaryMove(std::shared_ptr<const ModelSequence> sequence, const TagAssignment& tags, const CutSequence& cut,
                 std::size_t border);
    BoundaryMove(const BoundaryMove&) = delete;
    BoundaryMove& operator=(const BoundaryMove&) = delete;

    [[nodiscard]] const CutBoundary& border() const { return m_border; }
    /// Returns the valid range, in which each stage between boundaries keeps a call.
    [[nodiscard]] PlaceRange range() const { return m_range; }
    /// Moves the boundary, clamped to the range. Calls that it passes join the growing stage, unless their own tag already
    /// belongs on that side. The result only depends on the start and the end of the move. O(calls + arguments).
    BoundaryFigures moveTo(std::uint32_t place);
    /// Returns the calls whose tag differs from before the move, in graph order.
    [[nodiscard]] std::vector<std::pair<NodeId, std::int32_t>> changes() const;
    /// Returns the current tag per call.
    [[nodiscard]] const std::vector<std::int32_t>& partOf() const { return m_partOf; }

private:
    [[nodiscard]] StageFigures measure(std::int32_t tag);
    void measureCrossing(BoundaryFigures& out) const;

    std::shared_ptr<const ModelSequence> m_sequence;
    CutBoundary m_border;
    PlaceRange m_range;
    std::vector<std::int32_t> m_before; ///< per call
    std::vector<std::int32_t> m_partOf;
    PlaceRange m_moved; ///< calls from `first` up to but excluding `last`
    PartMeasure m_measure;
};

/// Returns the tags with a boundary moved to another place. The error for an unknown boundary or a place out of range names both.
/// O(calls × log tags + arguments).
Result<TagAssignment> withBorderAt(const std::shared_ptr<const ModelSequence>& sequence, const TagAssignment& tags,
                                   std::size_t border, std::uint32_t place);

/// Returns "2 values, 4.2 MB sent across (1 not a tensor)" or "nothing is sent across".
std::string describeCrossing(const BoundaryFigures& figures);

} // namespace sunder
