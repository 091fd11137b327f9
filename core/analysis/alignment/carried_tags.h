#pragma once

#include "analysis/alignment/align_graphs.h"
#include "analysis/tag_assignment.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// The tag that an op of a new export gets from those of an old one.
struct CarriedTag {
    std::int32_t tag = TagAssignment::kUntagged;
    /// Undecided or in place of others, all of which have this tag: it is right whichever it is.
    bool isEitherWay = false;
    /// What may be accepted where it got none: the tag of what it may be where those agree, else that of the latest stage that it
    /// reads, else of the first that reads it.
    std::int32_t suggestion = TagAssignment::kUntagged;
};

/// Tags of a new graph, and how they came about.
struct CarriedTags {
    std::vector<CarriedTag> calls; ///< as GraphAlignment::calls
    /// How many calls are matched in each way (MatchKind).
    std::array<std::size_t, kMatchKinds> counts = {};
    std::size_t untagged = 0; ///< calls that got no tag though what they are, or may be, had one; and those that are new
};

/// Per node of the old graph its tag: of those pairs that name one. Pairs of other names are dropped. O(nodes + pairs).
std::vector<std::int32_t> oldTags(const GraphIdentity& old, std::span<const InternedString> order,
                                  std::span<const TagPair> pairs);

/// An op takes the tag of what it is. Where that is not decided it gets a tag only if all that it may be have the same one; new
/// ops get none. `tagOf`: per node of the old graph. O(nodes + edges).
CarriedTags carriedTags(const GraphIdentity& now, const GraphAlignment& alignment, std::span<const std::int32_t> tagOf);

/// The same as tags of the program that `alignment` is of. O(nodes).
TagAssignment assignmentOf(const Program& program, const GraphAlignment& alignment, const CarriedTags& carried,
                           std::vector<InternedString> order);

/// "12 matched by identity, 3 moved, 1 new, 2 lost".
std::string summaryOf(const CarriedTags& carried, const GraphAlignment& alignment);

/// Why an op got its tag, or none, in a sentence that names the old ops: "reads something else than linear_3 did".
std::string reasonOf(const GraphIdentity& old, const AlignedCall& call, const CarriedTag& tag);

} // namespace sunder
