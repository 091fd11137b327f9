#pragma once

#include "analysis/cut/part_measure.h"
#include "analysis/sequence/cut_sequence.h"

#include "support/result.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// One side of a border.
struct StageFigures {
    std::int32_t tag = 0;
    PartSizes sizes;         ///< under the rule of the graph; without what other stages hold too
    std::size_t unknown = 0; ///< sizes that are not known: the figures may be more
};

/// What a cut is with a border at a place.
struct BorderFigures {
    std::uint32_t place = 0;
    StageFigures before = {};
    StageFigures after = {};
    std::uint64_t crossingBytes = 0; ///< of values made on one side of the border and read on the other, each once
    std::size_t crossingValues = 0;
    std::size_t nonTensors = 0;  ///< of those, numbers and the like
    std::uint64_t allCrossingBytes = 0;  ///< of all values that another stage reads, each once
    std::size_t changedCalls = 0; ///< that have another tag than before the move
    CutLegality legality = {};         ///< of all of the model
};

/// Tries places for one border of a cut. Keeps what is known of the cut, so that a move costs what the moved calls and the two
/// stages ask for.
class BorderMove {
public:
    /// `border` is one of the sequence of these tags. O(calls).
    BorderMove(std::shared_ptr<const ModelSequence> sequence, const TagAssignment& tags, const CutSequence& cut,
               std::size_t border);
    BorderMove(const BorderMove&) = delete;
    BorderMove& operator=(const BorderMove&) = delete;

    [[nodiscard]] const CutBorder& border() const { return m_border; }
    /// Where it may go: not so far that a stage between borders would keep no call.
    [[nodiscard]] PlaceRange range() const { return m_range; }
    /// Moves it: calls that it passes over go to the stage that grows, but for those that are on their side by their own tag
    /// already. Always from where it began, so that the way does not matter. Clamped to the range. O(calls + arguments).
    BorderFigures moveTo(std::uint32_t place);
    /// The calls with another tag than before, in graph order.
    [[nodiscard]] std::vector<std::pair<NodeId, std::int32_t>> changes() const;
    /// Per call its tag now.
    [[nodiscard]] const std::vector<std::int32_t>& partOf() const { return m_partOf; }

private:
    [[nodiscard]] StageFigures measure(std::int32_t tag);
    void measureCrossing(BorderFigures& out) const;

    std::shared_ptr<const ModelSequence> m_sequence;
    CutBorder m_border;
    PlaceRange m_range;
    std::vector<std::int32_t> m_before; ///< per call
    std::vector<std::int32_t> m_partOf;
    PlaceRange m_moved; ///< calls from first up to last, which is not one of them
    PartMeasure m_measure;
};

/// The tags with a border at another place; fails where there is no such border or the place is out of its range, naming both.
/// O(calls × log tags + arguments).
Result<TagAssignment> withBorderAt(const std::shared_ptr<const ModelSequence>& sequence, const TagAssignment& tags,
                                   std::size_t border, std::uint32_t place);

/// "4.2 MB cross in 2 values, 1 of them not a tensor", "nothing crosses".
std::string describeCrossing(const BorderFigures& figures);

} // namespace sunder
