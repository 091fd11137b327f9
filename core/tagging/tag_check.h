#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_legality.h"
#include "analysis/tag_totals.h"
#include "tagging/problems.h"

#include <memory>
#include <optional>
#include <vector>

namespace sunder {

/// What is to be said about tags: made after every stroke, in a job where the model is large.
struct TagCheck {
    TagReport report;
    TagTotals totals;
    Problems problems;
    std::vector<DeviceFit> fits = {}; ///< of the tags on the devices, and of a partition; none without devices or parts
    double milliseconds = 0; ///< how long the check took
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
    /// Tables of the snapshot under both rules; null: made when they are needed.
    std::shared_ptr<const CutGraph> graph = {};
    std::shared_ptr<const CutGraph> keptGraph = {};
};

/// `options.fits` are made from `question`. O(nodes + arguments + repairs priced).
TagCheck checkOf(const Snapshot& snapshot, const TagAssignment& tags, ProblemOptions options, DeviceQuestion question = {});

} // namespace sunder
