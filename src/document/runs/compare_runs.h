#pragma once

#include "analysis/cut/compare_cuts.h"
#include "analysis/cut/compare_modules.h"
#include "analysis/snapshot.h"
#include "document/runs/run.h"
#include "passes/regions/compare_regions.h"

#include "support/progress_monitor.h"
#include "support/result.h"

#include <memory>
#include <optional>
#include <variant>

namespace sunder {

/// Two cuts: nodes, bytes, parts and, where they were made for devices, those.
struct CutRunComparison {
    CutComparison cuts;
    std::vector<DeviceChange> devices; ///< empty when neither was made for devices
    TagAssignment before;              ///< the cuts as tags of the source, whose indices `cuts` uses
    TagAssignment after;
    std::optional<std::uint64_t> torchBefore = {}; ///< what torch counts for the largest part; nothing for what is no partition
    std::optional<std::uint64_t> torchAfter = {};
};

/// Two searches for repeated regions, shared or not.
struct RegionRunComparison {
    RegionComparison regions;
    std::size_t nodesBefore = 0; ///< of the model with that run's regions as calls: what it made, or would make
    std::size_t nodesAfter = 0;
};

/// The ways to compare: the alternatives of RunComparison by their index.
enum class ComparisonKind : quint8 { parts, hierarchy, regions };

/// What two runs of one kind differ in. Kinds of result that cut the model in whatever way share an alternative.
struct RunComparison {
    std::variant<CutRunComparison, ModuleComparison, RegionRunComparison> what;

    [[nodiscard]] ComparisonKind kind() const { return static_cast<ComparisonKind>(what.index()); }
    /// Which calls are elsewhere: in another part, module or group.
    [[nodiscard]] const AssignmentComparison& calls() const;
    /// Where the calls are in each, with names; indices of calls() are into their order.
    [[nodiscard]] const TagAssignment& before() const;
    [[nodiscard]] const TagAssignment& after() const;
};

using RunComparisonPtr = std::shared_ptr<const RunComparison>;

/// Why two runs cannot be compared, as a sentence; empty when they can.
QString whyNotComparable(const Run& before, const Run& after);

/// Compares two runs that can be; for a background job. Devices are paired, and called, as `devices` calls them now; one
/// that is no longer there as its run did. Fails only with ErrorCode::cancelled.
Result<RunComparisonPtr> compareRuns(const SnapshotPtr& source, const RunResult& before, const RunResult& after,
                                     const std::vector<Device>& devices, ProgressMonitor& monitor);

} // namespace sunder
