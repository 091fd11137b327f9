#pragma once

#include "analysis/cut/cut_graph.h"
#include "analysis/partition_dag.h"
#include "analysis/tag_assignment.h"
#include "document/runs/outcome.h"
#include "document/runs/partition_request.h"
#include "io/sympy/size_assumptions.h"
#include "parts/part_checks.h"
#include "passes/partition/partition_set.h"
#include "passes/split_result.h"

#include <memory>
#include <optional>

namespace sunder {

/// Additional data of a cut by a partitioner.
struct PartitionPlan {
    PartitionRequest request;
    PartitionSet set;
    std::vector<PartitionDagNode> dag; ///< in execution order
    std::vector<AssumedSize> cutFor = {}; ///< assumed sizes that the model was cut for; empty if the file gives sizes
    std::vector<AssumedSize> figuresFor = {}; ///< assumed sizes for the bytes in `set` and `dag`
    bool isForOtherSizes = false; ///< with the current sizes, the partitioner would cut differently or fail
    std::string refusedNow = {}; ///< why it would fail
    std::string separateForwardBackward = {}; ///< of a joint program: backward calls on other devices than their forward calls
};

/// The model cut into parts, by tags or over devices.
struct SplitOutcome final : Outcome {
    static constexpr ResultKind kKind{"parts"};
    SplitOutcome() : Outcome(kKind) {}

    SplitResult split;
    TagAssignment tags; ///< the cut: parts as source tags
    std::optional<TagAssignment> madeFrom = {}; ///< tags at the time of the split; nothing if it was not made from tags
    bool partsAreTags = false; ///< parts have the names of tags instead of numbers
    std::optional<PartsProof> apart = {}; ///< verification of the individual parts if it failed although the cut is verified
    std::optional<PartitionPlan> plan = {}; ///< of a partition

    [[nodiscard]] const VerifyReport& reportOfParts() const { return apart ? apart->report : report; }
    [[nodiscard]] const IdentityMap& mapOfParts() const { return apart ? apart->map : split.map; }
};

/// Returns a note if the partitioner would now cut differently: "cut for s27 = 8; run again for 16", or "…; for 16 there is no
/// cut" if it would fail. Otherwise empty.
QString otherSizesText(const SplitOutcome& cut);
/// Returns the same as sentences with advice.
QString otherSizesTip(const SplitOutcome& cut);

using SplitOutcomePtr = std::shared_ptr<const SplitOutcome>;

} // namespace sunder
