#include "tagging/tag_check.h"

#include <chrono>

namespace sunder {

TagCheck checkOf(const Snapshot& snapshot, const TagAssignment& tags, const ProblemOptions& options)
{
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    TagCheck check{.report = checkTags(snapshot.program, tags), .totals = tagTotals(snapshot, tags)};
    check.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    check.problems = problemsOf(snapshot, tags, check.report, options);
    return check;
}

} // namespace sunder
