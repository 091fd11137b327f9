#pragma once

#include "analysis/sequence/model_sequence.h"
#include "analysis/tag_assignment.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Consecutive calls with the same tag, or without a tag.
struct TagRun {
    std::int32_t tag = TagAssignment::kUntagged;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    friend bool operator==(const TagRun&, const TagRun&) = default;
};

/// The boundary between two consecutive stages of a cut.
struct CutBoundary {
    std::int32_t before = 0; ///< tag of the preceding stage: index into the order
    std::int32_t after = 0;
    std::uint32_t place = 0; ///< place in the ModelSequence
    friend bool operator==(const CutBoundary&, const CutBoundary&) = default;
};

/// Tags along the execution order of a model.
struct CutSequence {
    std::vector<TagRun> runs;       ///< covers all calls
    std::vector<CutBoundary> borders; ///< ascending: those of the nearest straight cut in the order of the tags
    std::size_t strays = 0;   ///< number of tagged calls on the wrong side of a boundary; 0 if stages are consecutive
    std::size_t untagged = 0;
    /// Returns whether stages are interleaved, as free painting allows.
    [[nodiscard]] bool isInterleaved() const { return strays > 0; }
    /// Returns whether every call has a tag and stages are consecutive. Such a cut is legal for any edges, since the graph runs
    /// in this order.
    [[nodiscard]] bool isStraight() const { return strays == 0 && untagged == 0; }
};

/// Whether split_by_tags accepts tags, as far as data edges are concerned.
struct CutLegality {
    std::size_t backward = 0; ///< edges against the order of tags
    std::size_t untagged = 0; ///< calls without a tag
    [[nodiscard]] bool isLegal() const { return backward == 0 && untagged == 0; }
};

/// Checks tags; `partOf` is the tag per call. O(arguments).
CutLegality legalityOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf);

/// Returns "legal", "illegal: 3 values go from a later tag to an earlier one", or "incomplete: 12 ops have no tag".
std::string describe(const CutLegality& legality);

/// Finds the runs and boundaries of a cut; `partOf` is the tag per call (partsOfCalls()). O(calls × log tags).
CutSequence cutSequence(const ModelSequence& sequence, std::span<const std::int32_t> partOf, std::size_t tags);

/// Tags with consecutive stages, and the changes that lead to them.
struct Straightening {
    TagAssignment tags;
    std::vector<int> order; ///< old indices of the tags in their new order
    bool isReordered = false;
    std::size_t retagged = 0; ///< calls that take over the tag of a neighbor
    std::uint64_t retaggedBytes = 0; ///< of their results, and of weights that they are the first to read
    std::size_t filled = 0; ///< untagged calls that get a tag
    std::vector<std::int32_t> emptied = {}; ///< tags without remaining calls, by new index
    std::uint64_t crossingBefore = 0;
    std::uint64_t crossingAfter = 0;
    [[nodiscard]] bool changes() const { return isReordered || retagged > 0 || filled > 0; }
};

/// Finds the nearest cut with consecutive stages: the one that changes the tags of the fewest calls and, in a tie, of the fewest
/// bytes. (The heaviest sequence of calls with non-decreasing tags keeps its tags.) Tags keep their order, unless ordering them
/// by the position of their median call changes fewer calls. Calls between two kept ones are divided where the fewest bytes
/// cross. The result is legal, since it cuts the execution order of the graph. O(calls × log tags + arguments).
Straightening straightened(const ModelSequence& sequence, const TagAssignment& tags);

/// Summarizes the changes: "retags 12 ops (4.2 MB); tags 3 untagged ops; transfer changes from 12.0 MB to 4.0 MB".
std::string describe(const Straightening& straightening);

} // namespace sunder
