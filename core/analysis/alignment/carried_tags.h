#pragma once

#include "analysis/alignment/align_graphs.h"
#include "analysis/tag_assignment.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// The tag that an op of a new export gets from an old one.
struct CarriedTag {
    std::int32_t tag = TagAssignment::kUntagged;
    /// All candidates, or all replaced ops, have this tag, so it is right regardless of which one matches.
    bool isEitherWay = false;
    /// A tag to offer if the op got none: that of its most likely match, or the common tag of its candidates; otherwise the
    /// latest stage among its inputs; otherwise the earliest stage among its users.
    std::int32_t suggestion = TagAssignment::kUntagged;
};

/// The tags of a new graph, with statistics.
struct CarriedTags {
    std::vector<CarriedTag> calls; ///< parallel to GraphAlignment::calls
    /// The number of calls per MatchKind.
    std::array<std::size_t, kMatchKinds> counts = {};
    std::size_t untagged = 0; ///< new, replacing or undecided calls without a tag
};

/// Returns the tag of each node of the old graph. Pairs with an unknown node or tag are dropped. O(nodes + pairs).
std::vector<std::int32_t> oldTags(const GraphIdentity& old, std::span<const InternedString> order,
                                  std::span<const TagPair> pairs);

/// Transfers tags to matching ops. An undecided op gets a tag only if all candidates have the same one; new ops get none.
/// `tagOf`: per node of the old graph. O(nodes + edges).
CarriedTags carriedTags(const GraphIdentity& now, const GraphAlignment& alignment, std::span<const std::int32_t> tagOf);

/// What ops without a tag get.
enum class Untagged : bool { nothing, suggestion };

/// Converts the tags to an assignment for the new program of `alignment`. O(nodes).
TagAssignment assignmentOf(const Program& program, const GraphAlignment& alignment, const CarriedTags& carried,
                           std::vector<InternedString> order, Untagged untagged = Untagged::nothing);

/// Summarizes the transfer: "12 matched by identity, 3 replacements, 1 new, 2 lost".
std::string summaryOf(const CarriedTags& carried, const GraphAlignment& alignment);

/// Explains why an op got its tag or none, in a sentence that names the old ops: "is the same as linear_3, with different inputs".
std::string reasonOf(const GraphIdentity& old, const AlignedCall& call, const CarriedTag& tag);

} // namespace sunder
