#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "analysis/tag_legality.h"
#include "tagging/problems.h"

#include <memory>
#include <optional>
#include <vector>

namespace sunder {

using LegalityStatePtr = std::shared_ptr<LegalityState>;

/// All results about tags, computed after every stroke; for a large model, in a job.
struct TagCheck {
    TagReport report;
    TagTotals totals;
    Problems problems;
    std::vector<DeviceFit> fits = {}; ///< of the tags on the devices, and of a partition; empty without devices or parts
    double milliseconds = 0; ///< duration of the check
    LegalityStatePtr state = {}; ///< of the tags; the starting point of the next check
};

/// The devices that parts must fit.
struct DeviceQuestion {
    /// A cut that a partitioner assigned to devices.
    struct Partition {
        TagAssignment cut;
        std::vector<Device> devices;
        std::vector<PartitionDagNode> dag;
    };
    std::vector<Device> devices = {}; ///< for the tags, in order
    std::optional<Partition> partition = {};
    /// Tables of the snapshot under MemoryRule::freesDead; null: created on demand.
    std::shared_ptr<const CutGraph> graph = {};
};

/// Creates the initial state for checks. O(nodes + arguments + tensors).
LegalityStatePtr legalityOf(const Snapshot& snapshot, const TagAssignment& tags);

/// Checks tags. `state` is the result of the last check of the same snapshot, not used elsewhere in the meantime; null: create a
/// new one. `options.fits` are computed from `question`. O(nodes + changes since the state + attempted fixes).
TagCheck checkOf(const Snapshot& snapshot, const TagAssignment& tags, ProblemOptions options, DeviceQuestion question = {},
                 LegalityStatePtr state = {});

} // namespace sunder
