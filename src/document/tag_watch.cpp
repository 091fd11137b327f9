#include "document/tag_watch.h"

#include <utility>

namespace sunder {
namespace {
/// Above this number of nodes, a synchronous check would block the window for several frames.
constexpr std::size_t kLookedAtAtOnce = 30'000;

/// Returns the verification of the split; the result points into `split`.
SplitProof proofOf(const SplitOutcomePtr& split)
{
    return split ? SplitProof{.report = &split->reportOfParts(), .map = &split->mapOfParts()} : SplitProof();
}

ProblemOptions problemOptionsOf(const TagWatch::Subject& subject)
{
    return {.activeTag = subject.activeTag, .splitWanted = subject.splitWanted, .proof = proofOf(subject.split)};
}

} // namespace

TagWatch::TagWatch(std::function<Subject()> subject, Jobs* jobs, QObject* parent)
    : QObject(parent), m_subject(std::move(subject)), m_jobs(jobs)
{
}

bool TagWatch::isLarge(const SnapshotPtr& snapshot) const
{
    return m_jobs != nullptr && snapshot && snapshot->graph().size() > kLookedAtAtOnce;
}

void TagWatch::reset(TagCheck check)
{
    ++m_revision;
    m_isChecking = false;
    m_last = std::move(check);
    m_graphOf = {};
    m_stateOf = m_subject().snapshot;
}

void TagWatch::check()
{
    ++m_revision;
    const Subject now = m_subject();
    if (!now.snapshot)
        return;
    if (!isLarge(now.snapshot))
        take(checkOf(*now.snapshot, now.tags, problemOptionsOf(now), questionOf(now), stateOf(now)), now.snapshot);
    else if (!std::exchange(m_isChecking, true))
        scheduleCheck();
}

void TagWatch::updateProblems()
{
    const Subject now = m_subject();
    if (isLarge(now.snapshot) || !stateOf(now))
        check();
    else if (now.snapshot) {
        ProblemOptions options = problemOptionsOf(now);
        options.fits = m_last.fits;
        m_last.problems = problemsOf(*now.snapshot, *m_last.state, m_last.report, options);
    }
}

/// Reuses the tables of the last check if they are for this model.
DeviceQuestion TagWatch::questionOf(const Subject& subject) const
{
    DeviceQuestion question{.devices = {subject.devices.begin(), subject.devices.end()}};
    if (m_graphOf == subject.snapshot)
        for (const DeviceFit& fit : m_last.fits)
            question.graph = fit.graph;
    if (subject.partition)
        question.partition = {subject.partition->tags, subject.partition->plan->request.devices(), subject.partition->plan->dag};
    return question;
}

/// Returns the state of the last check if it is for this snapshot.
LegalityStatePtr TagWatch::stateOf(const Subject& subject) const
{
    return m_stateOf == subject.snapshot ? m_last.state : LegalityStatePtr();
}

void TagWatch::take(TagCheck check, const SnapshotPtr& snapshot)
{
    m_last = std::move(check);
    m_graphOf = snapshot;
    m_stateOf = snapshot;
}

void TagWatch::forgetTotals(std::size_t tags)
{
    m_last = {.totals = {.tags = std::vector<TagTotal>(tags)}, .state = m_last.state};
}

void TagWatch::scheduleCheck()
{
    const Subject now = m_subject();
    m_jobs->start<TagCheck>(
        {.key = QStringLiteral("check"), .title = tr("Check the tags"), .quiet = true},
        [snapshot = now.snapshot, tags = now.tags, options = problemOptionsOf(now), question = questionOf(now), split = now.split,
         state = stateOf(now)](ProgressMonitor&) -> Result<TagCheck> {
            return checkOf(*snapshot, tags, options, question, state);
        },
        this,
        [this, revision = m_revision, snapshot = now.snapshot, model = now.snapshot->model](Result<TagCheck> found) {
            const SnapshotPtr open = m_subject().snapshot;
            if (!m_isChecking || !open || open->model != model)
                return; // another model was opened
            if (revision != m_revision) {
                scheduleCheck(); // the tags changed meanwhile
                return;
            }
            m_isChecking = false;
            if (found)
                take(std::move(*found), snapshot);
            emit ended();
        });
}

} // namespace sunder

#include "moc_tag_watch.cpp"
