#include "document/checks.h"

#include "document/document.h"

namespace sunder {
namespace {

/// Returns the split if a partitioner made it.
SplitOutcomePtr partitionOf(const SplitOutcomePtr& split)
{
    return split && split->plan ? split : nullptr;
}

/// Returns the split if it was made from tags.
SplitOutcomePtr splitOfTags(const SplitOutcomePtr& split)
{
    return split && split->madeFrom ? split : nullptr;
}

} // namespace

Checks::Checks(Document& document, Jobs* jobs)
    : DocumentPart(document),
      m_watch(
          [this, &document] {
              const Runs& runs = document.runs();
              return TagWatch::Subject{.snapshot = document.snapshot(),
                                       .tags = document.tags(),
                                       .activeTag = document.activeTag(),
                                       .splitWanted = m_splitWanted,
                                       .devices = document.devices().list(),
                                       .partition = partitionOf(runs.splitInSight()),
                                       .split = runs.isSplitCurrent() ? splitOfTags(runs.shownSplit()) : nullptr};
          },
          jobs, nullptr)
{
    QObject::connect(&m_watch, &TagWatch::ended, &m_watch, [this] { announce(Change::check); });
}

const DeviceFit* Checks::deviceFit() const
{
    const std::vector<DeviceFit>& fits = m_watch.last().fits;
    if (fits.empty())
        return nullptr;
    const SplitOutcomePtr split = document().runs().splitInSight();
    const bool isPartition = split && split->plan && giveTheSame(split->plan->request.devices(), document().devices().list())
        && !fits.back().isOfTags;
    if (isPartition)
        return &fits.back();
    return fits.front().isOfTags ? &fits.front() : nullptr;
}

bool Checks::isUntaggedShown() const
{
    if (!snapshot() || report().untagged.empty() || report().untagged.size() == snapshot()->callCount)
        return false;
    return m_splitWanted || untaggedStandOut(report(), snapshot()->callCount);
}

void Checks::askForSplit()
{
    if (m_splitWanted || !snapshot() || report().untagged.size() == snapshot()->callCount)
        return;
    m_splitWanted = true;
    m_watch.updateProblems();
    announce(Change::check);
}

void Checks::reset(TagCheck check)
{
    m_splitWanted = false;
    m_watch.reset(std::move(check));
}

void Checks::swapModel(TagCheck check)
{
    m_watch.reset(std::move(check));
    if (totals().tags.size() != document().tags().order.size())
        m_watch.forgetTotals(document().tags().order.size());
}

void Checks::forgetTotals()
{
    if (m_watch.isLarge(snapshot()))
        m_watch.forgetTotals(document().tags().order.size());
}

} // namespace sunder
