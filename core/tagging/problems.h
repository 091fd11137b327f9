#pragma once

#include "analysis/legality/legality_state.h"
#include "analysis/snapshot.h"
#include "ir/identity_map.h"
#include "support/result.h"
#include "tagging/device_fit.h"
#include "tagging/problem.h"
#include "verify/verify.h"

#include <cstddef>
#include <span>

namespace sunder {

/// What is known of the parts that a split made of the tags: whether they compute what the model does.
struct SplitProof {
    const VerifyReport* report = nullptr;
    const IdentityMap* map = nullptr; ///< of the split
};

struct ProblemOptions {
    int activeTag = -1;      ///< the tag that untagged nodes are offered; −1: none
    /// A split was asked for: ops without a tag are an error. Otherwise they are an error when untaggedStandOut(), and
    /// a note before: who has begun to paint has done nothing wrong.
    bool splitWanted = true;
    SplitProof proof = {};   ///< of these tags; none: not split
    std::span<const Error> partForms = {}; ///< why parts cannot have the format that is asked for, with the node
    std::span<const DeviceFit> fits = {}; ///< of these tags on the devices, and of a partition that is shown
    std::size_t limit = 100; ///< problems of a kind; then one that counts the rest
    /// What trying repairs may take (RepairOffers), in the order of the problems: what is further down gets its own when those
    /// above it are repaired.
    std::size_t work = 2000;
};

/// What there is to say about tags, errors first, each with its repairs and what goes away with it (groupRelated()); and about the
/// split where it was not proven. `report`
/// is that of `state`, on which repairs are tried, and which is as it was at the end. O(report), and the tries.
Problems problemsOf(const Snapshot& snapshot, LegalityState& state, const TagReport& report, const ProblemOptions& options);

} // namespace sunder
