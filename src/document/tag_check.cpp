#include "document/tag_check.h"

#include "document/problems.h"

#include <QElapsedTimer>

namespace sunder {

TagCheck checkOf(const Snapshot& snapshot, const TagAssignment& tags, int activeTag, const SplitOutcome* outcome)
{
    QElapsedTimer clock;
    clock.start();
    TagCheck check{.report = checkTags(snapshot.program, tags), .totals = tagTotals(snapshot, tags)};
    check.milliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    check.problems = problemsOf(snapshot, tags, check.report, activeTag, outcome);
    return check;
}

} // namespace sunder
