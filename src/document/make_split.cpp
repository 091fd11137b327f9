#include "document/make_split.h"

#include "passes/split_by_tags/split_by_tags.h"
#include "passes/verify_result.h"

#include <QElapsedTimer>

namespace sunder {

Result<SplitOutcomePtr> makeSplit(const SnapshotPtr& source, const TagAssignment& tags, ProgressMonitor& monitor)
{
    QElapsedTimer clock;
    clock.start();
    monitor.report(0, "splitting");
    Result<SplitResult> split = splitByTags(source->program, tags, {}, monitor);
    if (!split)
        return forward(split);
    const double splitSeconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    clock.restart();
    monitor.report(0.5, "verifying that the parts compute the same");
    Result<VerifyReport> report = verifyResult(source->program, split->program, monitor);
    if (!report)
        return forward(report);
    return std::make_shared<const SplitOutcome>(
        SplitOutcome{.split = std::move(*split),
                     .report = std::move(*report),
                     .tags = tags,
                     .when = QDateTime::currentDateTime(),
                     .splitSeconds = splitSeconds,
                     .verifySeconds = static_cast<double>(clock.nsecsElapsed()) / 1e9});
}

} // namespace sunder
