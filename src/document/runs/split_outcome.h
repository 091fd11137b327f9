#pragma once

#include "analysis/cut/cut_graph.h"
#include "analysis/partition_dag.h"
#include "analysis/tag_assignment.h"
#include "document/runs/outcome.h"
#include "document/runs/partition_request.h"
#include "io/sympy/size_assumptions.h"
#include "parts/part_proof.h"
#include "passes/partition/partition_set.h"
#include "passes/split_result.h"

#include <memory>
#include <optional>

namespace sunder {

/// What a partitioner adds to a cut.
struct PartitionPlan {
    PartitionRequest request;
    PartitionSet set;
    std::vector<PartitionDagNode> dag; ///< in order of execution
    std::vector<AssumedSize> cutFor = {}; ///< what symbols of sizes were when the model was cut; empty where the file gives sizes
    std::vector<AssumedSize> figuresFor = {}; ///< what they are for the bytes in `set` and `dag`
    bool isForOtherSizes = false; ///< at the sizes of now the partitioner would make another cut, or none; figures are of now
    std::string refusedNow = {}; ///< why it would make none
    std::string passesApart = {}; ///< of a joint program: backward calls on other devices than their forward calls
};

/// The model cut into parts, by tags or over devices.
struct SplitOutcome final : Outcome {
    static constexpr ResultKind kKind{"parts"};
    SplitOutcome() : Outcome(kKind) {}

    SplitResult split;
    TagAssignment tags; ///< the cut: parts as tags of the source
    std::optional<TagAssignment> madeFrom = {}; ///< tags that it was made from, as they were then; none: from something else
    bool partsAreTags = false; ///< parts are called as the person called tags, not numbered
    std::optional<PartsProof> apart = {}; ///< of its parts on their own, if they are not proven although the cut is
    std::optional<PartitionPlan> plan = {}; ///< of a cut over devices

    [[nodiscard]] const VerifyReport& reportOfParts() const { return apart ? apart->report : report; }
    [[nodiscard]] const IdentityMap& mapOfParts() const { return apart ? apart->map : split.map; }
};

/// "cut for s27 = 8; run again for 16", where the partitioner would cut otherwise now, "…; for 16 there is no cut" where it would
/// refuse; else empty.
QString otherSizesText(const SplitOutcome& cut);
/// That as sentences, with what to do.
QString otherSizesTip(const SplitOutcome& cut);

using SplitOutcomePtr = std::shared_ptr<const SplitOutcome>;

} // namespace sunder
