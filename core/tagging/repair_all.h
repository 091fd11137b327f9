#pragma once

#include "support/progress_monitor.h"
#include "tagging/tag_check.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// Repairs one after the other, and what comes of them.
struct RepairPlan {
    TagAssignment tags;               ///< with all of them
    std::vector<std::string> labels;  ///< of the repairs, in their order
    std::uint64_t calls = 0;          ///< that have another tag in the end, by its name
    std::uint64_t bytes = 0;          ///< of parameters, buffers and constants that these read
    std::vector<InternedString> removed; ///< tags that had ops and have none in the end
    std::size_t tagsLeft = 0;         ///< that have ops in the end
    std::size_t problems = 0;         ///< before, those that are counted (isCounted())
    std::vector<std::string> staying; ///< problems that no repair removes without adding another, those that are counted first
    std::size_t problemsStaying = 0;  ///< how many of these are counted
};

/// What repairs of all problems may do.
enum class RepairScope : std::uint8_t {
    keepsTags,   ///< none that takes all ops of a tag away: the cut has as many parts afterwards
    removesTags, ///< also those that merge tags, or move the last ops of one
};

/// Repairs all that can be. First again and again the repair that costs the fewest ops for each finding that it removes, of equally
/// cheap ones the one that moves the fewest bytes, then the first; then sets in which more and more repairs are dearer than that, as
/// far as 150 checks go. Of all these sets the one that leaves the fewest problems, with the fewest ops that get another tag, with the
/// fewest bytes: where there are few repairs, that is the cheapest there is; where there are many, another may be cheaper. No repair
/// adds a finding but the notes of filling in, so it ends. Tagging everything anew in stages is no part of it: that throws away what
/// was painted. `scope` says whether tags may go. Ends early when it is stopped, and after 500 repairs; what is left then stays. O(checks with their tries).
RepairPlan repairAll(const Snapshot& snapshot, const TagAssignment& tags, const ProblemOptions& options,
                     const DeviceQuestion& question = {}, RepairScope scope = RepairScope::keepsTags,
                     ProgressMonitor& monitor = ProgressMonitor::none());

/// The repairs that keep all tags, and those that take tags away where these leave fewer problems.
struct RepairChoice {
    RepairPlan keeping;
    std::optional<RepairPlan> removing = {};
};

/// repairAll() in both scopes; in the second one only where the first leaves problems.
RepairChoice repairChoice(const Snapshot& snapshot, const TagAssignment& tags, const ProblemOptions& options,
                          const DeviceQuestion& question = {}, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
