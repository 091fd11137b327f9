#pragma once

#include "analysis/cut/compare_assignments.h"
#include "analysis/cut/compare_cuts.h"
#include "analysis/snapshot.h"
#include "document/runs/run.h"
#include "passes/regions/compare_regions.h"

#include "support/progress_monitor.h"
#include "support/result.h"

#include <memory>
#include <optional>
#include <variant>

namespace sunder {

/// Comparison of two cuts: nodes, bytes, parts, and devices if the cuts are partitions.
struct CutRunComparison {
    CutComparison cuts;
    std::vector<DeviceChange> devices; ///< empty if neither cut was made for devices
    TagAssignment before;              ///< the cuts as source tags; `cuts` uses their indices
    TagAssignment after;
    std::optional<std::uint64_t> torchBefore = {}; ///< PyTorch's count for the largest part; only for partitions
    std::optional<std::uint64_t> torchAfter = {};
};

/// Comparison of two searches for repeated regions, deduplicated or not.
struct RegionRunComparison {
    RegionComparison regions;
    std::size_t nodesBefore = 0; ///< nodes after deduplication, whether it was applied or not
    std::size_t nodesAfter = 0;
};

/// Kinds of comparison, in the order of the alternatives of RunComparison.
enum class ComparisonKind : quint8 { parts, hierarchy, regions };

/// Differences between two runs of one kind. All kinds of result that cut the model share an alternative.
struct RunComparison {
    std::variant<CutRunComparison, ModuleComparison, RegionRunComparison> what;

    [[nodiscard]] ComparisonKind kind() const { return static_cast<ComparisonKind>(what.index()); }
    /// Returns the calls that are in another part, module, or group.
    [[nodiscard]] const AssignmentComparison& calls() const;
    /// Return the location of each call before and after, with names; the indices of calls() refer to their orders.
    [[nodiscard]] const TagAssignment& before() const;
    [[nodiscard]] const TagAssignment& after() const;
};

using RunComparisonPtr = std::shared_ptr<const RunComparison>;

/// Returns why two runs cannot be compared, as a sentence; empty if they can.
QString whyNotComparable(const Run& before, const Run& after);

/// Compares two comparable runs. Devices are matched and named as in the current `devices`; removed devices keep the name from
/// their run. Fails only with ErrorCode::cancelled. Call from a background job.
Result<RunComparisonPtr> compareRuns(const SnapshotPtr& source, const RunResult& before, const RunResult& after,
                                     const std::vector<Device>& devices, ProgressMonitor& monitor);

} // namespace sunder
