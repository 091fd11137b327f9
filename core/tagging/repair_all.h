#pragma once

#include "support/progress_monitor.h"
#include "tagging/tag_check.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// A sequence of fixes and its result.
struct RepairPlan {
    TagAssignment tags;               ///< after all fixes
    std::vector<std::string> labels;  ///< of the fixes, in order
    std::uint64_t calls = 0;          ///< calls whose tag name changes in total
    std::uint64_t bytes = 0;          ///< of the parameters, buffers and constants that they read
    std::vector<InternedString> removed; ///< tags that lose all of their ops
    std::size_t tagsLeft = 0;         ///< number of tags with ops afterward
    std::size_t problems = 0;         ///< number of problems before that count (isCounted())
    std::vector<std::string> staying; ///< problems that no fix removes without adding another, those that count first
    std::size_t problemsStaying = 0;  ///< number of these that count
};

/// The permitted fixes.
enum class RepairScope : std::uint8_t {
    keepsTags,   ///< no fix that removes all ops of a tag: the number of parts stays the same
    removesTags, ///< also fixes that merge tags or move the last ops of one
};

/// Fixes as many problems as possible. First, repeatedly applies the fix with the fewest ops per removed finding; ties are
/// resolved by the fewest bytes, then by order. Then tries sets with more and more expensive fixes, up to 150 checks. Returns the
/// set that leaves the fewest problems, with the fewest retagged ops and then the fewest bytes. With few possible fixes it is
/// optimal; with many, a cheaper set may exist.
///
/// No fix adds findings except notes, so the search terminates. Retagging everything with equal stages is excluded, since it
/// discards painted tags. `scope` determines whether tags may be removed. Stops early on cancellation, and after 500 fixes;
/// remaining problems are reported. O(checks with their attempts).
RepairPlan repairAll(const Snapshot& snapshot, const TagAssignment& tags, const ProblemOptions& options,
                     const DeviceQuestion& question = {}, RepairScope scope = RepairScope::keepsTags,
                     ProgressMonitor& monitor = ProgressMonitor::none());

/// The fixes that keep all tags, and those that remove tags if these leave fewer problems.
struct RepairChoice {
    RepairPlan keeping;
    std::optional<RepairPlan> removing = {};
};

/// Runs repairAll() in both scopes; in the second one only if the first leaves problems.
RepairChoice repairChoice(const Snapshot& snapshot, const TagAssignment& tags, const ProblemOptions& options,
                          const DeviceQuestion& question = {}, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
