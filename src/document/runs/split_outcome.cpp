#include "document/runs/split_outcome.h"

#include "document/text.h"

#include <algorithm>

namespace sunder {
namespace {

/// Returns the assumed sizes that have changed since the cut: the old and the new values.
std::pair<std::vector<AssumedSize>, std::vector<AssumedSize>> changedSizes(const PartitionPlan& plan)
{
    std::pair<std::vector<AssumedSize>, std::vector<AssumedSize>> changed;
    for (const AssumedSize& now : plan.figuresFor)
        for (const AssumedSize& then : plan.cutFor)
            if (then.first == now.first && then.second != now.second) {
                changed.first.push_back(then);
                changed.second.push_back(now);
            }
    return changed;
}

} // namespace

QString otherSizesText(const SplitOutcome& cut)
{
    if (!cut.plan || !cut.plan->isForOtherSizes)
        return {};
    const auto [then, now] = changedSizes(*cut.plan);
    const QString wanted = now.size() == 1 ? QString::number(now.front().second) : text(describe(now));
    if (!cut.plan->refusedNow.empty())
        return QObject::tr("cut for %1; no cut possible for %2").arg(text(describe(then)), wanted);
    return QObject::tr("cut for %1; run again for %2").arg(text(describe(then)), wanted);
}

QString otherSizesTip(const SplitOutcome& cut)
{
    if (!cut.plan || !cut.plan->isForOtherSizes)
        return {};
    const QString now = text(describe(changedSizes(*cut.plan).second));
    const QString figures = QObject::tr("Sizes are shown for %1.").arg(now);
    if (cut.plan->refusedNow.empty())
        return QObject::tr("%1 The partitioner would make another cut for these sizes. Run it again.").arg(figures);
    return QObject::tr("%1 The partitioner cannot make a cut for these sizes: %2").arg(figures, sentence(cut.plan->refusedNow));
}

} // namespace sunder
