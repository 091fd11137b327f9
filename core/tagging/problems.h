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

/// The verification result of a split by the tags.
struct SplitProof {
    const VerifyReport* report = nullptr;
    const IdentityMap* map = nullptr; ///< of the split
};

struct ProblemOptions {
    int activeTag = -1;      ///< the tag suggested for untagged nodes; −1: none
    /// Whether a split was requested, so that ops without a tag are an error. Otherwise they are an error if untaggedStandOut(),
    /// and a note below that: unfinished painting is not a mistake.
    bool splitWanted = true;
    SplitProof proof = {}; ///< for these tags; empty: not split
    std::span<const Error> partForms = {}; ///< reasons why parts do not support the requested format, with nodes
    std::span<const DeviceFit> fits = {}; ///< of these tags on the devices, and of a displayed partition
    std::size_t limit = 100; ///< maximum number of problems per kind; one more counts the rest
    /// The budget for trying fixes (RepairOffers), spent in the order of problems. Later problems get their fixes once earlier
    /// ones are resolved.
    std::size_t work = 2000;
};

/// Returns the problems of tags, errors first, each with its fixes and the problems that they also remove (groupRelated()), and
/// those of an unverified split. `report` must be that of `state`, on which fixes are tried; the state is unchanged afterward.
/// O(report), plus the attempts.
Problems problemsOf(const Snapshot& snapshot, LegalityState& state, const TagReport& report, const ProblemOptions& options);

} // namespace sunder
