#pragma once

#include "analysis/sequence/model_sequence.h"
#include "analysis/tag_assignment.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Calls one behind the other that have one tag, or none.
struct TagRun {
    std::int32_t tag = TagAssignment::kUntagged;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    friend bool operator==(const TagRun&, const TagRun&) = default;
};

/// Where one stage of a cut ends and the next begins.
struct CutBorder {
    std::int32_t before = 0; ///< tag of the stage in front of it: index into the order
    std::int32_t after = 0;
    std::uint32_t place = 0; ///< in the ModelSequence
    friend bool operator==(const CutBorder&, const CutBorder&) = default;
};

/// What tags are along the order in which a model runs.
struct CutSequence {
    std::vector<TagRun> runs;       ///< all calls
    std::vector<CutBorder> borders; ///< ascending: those of the nearest straight cut in the order of the tags
    std::size_t strays = 0;   ///< tagged calls that lie on the wrong side of a border: 0 where stages follow each other
    std::size_t untagged = 0;
    /// Painted freely: stages lie among each other.
    [[nodiscard]] bool isInterleaved() const { return strays > 0; }
    /// Every call has a tag, and stages follow each other: legal whatever the edges are, as the graph runs in this order.
    [[nodiscard]] bool isStraight() const { return strays == 0 && untagged == 0; }
};

/// Whether a split takes tags, as far as data goes.
struct CutLegality {
    std::size_t backward = 0; ///< edges that run against the order of the tags
    std::size_t untagged = 0; ///< calls without a tag
    [[nodiscard]] bool isLegal() const { return backward == 0 && untagged == 0; }
};

/// `partOf`: per call its tag. O(arguments).
CutLegality legalityOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf);

/// "legal", "illegal: 3 values run backwards", "not yet: 12 ops have no tag".
std::string describe(const CutLegality& legality);

/// `partOf`: per call its tag (partsOfCalls()). O(calls × log tags).
CutSequence cutSequence(const ModelSequence& sequence, std::span<const std::int32_t> partOf, std::size_t tags);

/// The tags with which stages follow each other, and what becomes of them.
struct Straightening {
    TagAssignment tags;
    std::vector<int> order;        ///< old indices of the tags in their new order
    bool isReordered = false;
    std::size_t retagged = 0;      ///< calls that take the tag of a neighbour
    std::uint64_t retaggedBytes = 0; ///< what they compute, and the weights that they are the first to read
    std::size_t filled = 0;        ///< calls without a tag that take one
    std::vector<std::int32_t> emptied = {}; ///< tags, by their new indices, that keep no call
    std::uint64_t crossingBefore = 0;
    std::uint64_t crossingAfter = 0;
    [[nodiscard]] bool changes() const { return isReordered || retagged > 0 || filled > 0; }
};

/// The nearest cut in which stages follow each other: of all such the one that gives the fewest calls another tag, of equals the
/// fewest bytes (the heaviest sequence of calls whose tags never fall keeps its tags). Tags keep their order, unless fewer
/// calls change with the tags ordered by where the middle one of their calls runs. What is between two kept calls is divided
/// where the least crosses. The result is legal: it cuts the order in which the graph runs.
/// O(calls × log tags + arguments).
Straightening straightened(const ModelSequence& sequence, const TagAssignment& tags);

/// "12 ops (4.2 MB) take the tag of a neighbour; 3 ops without a tag take one; what crosses goes from 12.0 MB to 4.0 MB".
std::string describe(const Straightening& straightening);

} // namespace sunder
