#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_legality.h"
#include "analysis/tag_totals.h"
#include "tagging/problems.h"

#include <memory>
#include <optional>
#include <vector>

namespace sunder {

using LegalityStatePtr = std::shared_ptr<LegalityState>;

/// What is to be said about tags: made after every stroke, in a job where the model is large.
struct TagCheck {
    TagReport report;
    TagTotals totals;
    Problems problems;
    std::vector<DeviceFit> fits = {}; ///< of the tags on the devices, and of a partition; none without devices or parts
    double milliseconds = 0; ///< how long the check took
    LegalityStatePtr state = {}; ///< of the tags: what the next check goes on from
};

/// What devices there are to hold parts to.
struct DeviceQuestion {
    /// A cut that a partitioner put on devices.
    struct Partition {
        TagAssignment cut;
        std::vector<Device> devices;
        std::vector<PartitionDagNode> dag;
    };
    std::vector<Device> devices = {}; ///< for the tags, in order
    std::optional<Partition> partition = {};
    /// Tables of the snapshot under MemoryRule::freesDead; null: made when they are needed.
    std::shared_ptr<const CutGraph> graph = {};
};

/// The state of tags that a check begins with. O(nodes + arguments + tensors).
LegalityStatePtr legalityOf(const Snapshot& snapshot, const TagAssignment& tags);

/// `state` is what the last check of the same snapshot left, and nobody else's meanwhile; null: made anew. `options.fits` are made
/// from `question`. O(nodes + what changed since the state was of other tags + repairs tried).
TagCheck checkOf(const Snapshot& snapshot, const TagAssignment& tags, ProblemOptions options, DeviceQuestion question = {},
                 LegalityStatePtr state = {});

} // namespace sunder
