#pragma once

#include "analysis/cut/cut_graph.h"

#include <cstdint>
#include <vector>

namespace sunder {

enum class PartMatching : std::uint8_t {
    names,   ///< parts of one name, then the rest by overlap
    overlap, ///< by the calls that two parts share, the largest overlaps first, whatever they are called
};

/// Two parts that are taken for one another, or a part that only one of the cuts has.
struct PartPair {
    std::int32_t before = TagAssignment::kUntagged; ///< index into the first order; kUntagged: new
    std::int32_t after = TagAssignment::kUntagged;  ///< index into the second order; kUntagged: gone
    bool isByName = false;
};

/// A call that is in another part.
struct MovedNode {
    NodeId node;
    std::int32_t before = TagAssignment::kUntagged; ///< part in the first cut; kUntagged: in none
    std::int32_t after = TagAssignment::kUntagged;  ///< part in the second
    friend bool operator==(const MovedNode&, const MovedNode&) = default;
};

/// The calls that went from one part to one other.
struct MoveGroup {
    std::int32_t before = TagAssignment::kUntagged;
    std::int32_t after = TagAssignment::kUntagged;
    std::size_t calls = 0;
    std::uint64_t bytes = 0; ///< of their results
};

/// In which part the calls of a source are, twice. Parts may be those of a cut, and anything else that holds calls: modules,
/// groups of repeated regions. The first is "before", the second "after".
struct AssignmentComparison {
    std::vector<PartPair> parts;   ///< in the order of the second assignment, then those that are gone
    std::vector<MovedNode> moved;  ///< in graph order: in a part that is not the counterpart of the old one
    std::vector<MoveGroup> groups; ///< of `moved`, most calls first
};

/// Pairs the parts and looks at each call once. O(calls + overlapping pairs × log of them).
AssignmentComparison compareAssignments(const CutGraph& graph, const TagAssignment& before, const TagAssignment& after,
                                        PartMatching matching = PartMatching::names);

} // namespace sunder
